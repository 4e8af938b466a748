// Font Awesome Free's outlines, each from a module of its own: the whole packages are 2,000 icons and 20 MB of memory.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Glyph {
  readonly width: number
  readonly height: number
  /** As in the `d` of an SVG path. */
  readonly path: string
  /** Changes when the outline does. */
  readonly fingerprint: string
}

interface IconModule {
  readonly iconName: string
  readonly width: number
  readonly height: number
  readonly svgPathData: string
}

const load = createRequire(import.meta.url)
const folders = ['solid', 'brands'].map(style =>
  dirname(load.resolve(`@fortawesome/free-${style}-svg-icons/package.json`)),
)
const known = new Map<string, Glyph>()

/** By Font Awesome's name of it, as `linkedin-in`; undefined for a name that is none. */
export function glyphOf(name: string): Glyph | undefined {
  const remembered = known.get(name)
  if (remembered || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return remembered
  const file = `fa${name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}.js`
  const path = folders.map(folder => join(folder, file)).find(existsSync)
  if (path === undefined) return undefined
  const { iconName, width, height, svgPathData } = load(path) as IconModule
  if (iconName !== name) return undefined // an older name of another icon
  const glyph = { width, height, path: svgPathData, fingerprint: hash('sha256', svgPathData).slice(0, 16) }
  known.set(name, glyph)
  return glyph
}
