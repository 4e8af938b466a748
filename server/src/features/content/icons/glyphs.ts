// Loads outlines of Font Awesome Free one module at a time: the complete packages are 2,000 icons and 20 MB of memory.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Glyph {
  readonly width: number
  readonly height: number
  /** The `d` attribute of an SVG path. */
  readonly path: string
  /** A hash of the outline. */
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
const glyphs = new Map<string, Glyph>()

/** The glyph with this name in Font Awesome, such as `linkedin-in`; undefined for an unknown name. */
export function glyphOf(name: string): Glyph | undefined {
  const cached = glyphs.get(name)
  if (cached || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return cached
  const file = `fa${name.replace(/(?:^|-)([a-z0-9])/g, (_, first: string) => first.toUpperCase())}.js`
  const path = folders.map(folder => join(folder, file)).find(existsSync)
  if (path === undefined) return undefined
  const { iconName, width, height, svgPathData } = load(path) as IconModule
  if (iconName !== name) return undefined // the name is an old alias of another icon
  const glyph = { width, height, path: svgPathData, fingerprint: hash('sha256', svgPathData).slice(0, 16) }
  glyphs.set(name, glyph)
  return glyph
}
