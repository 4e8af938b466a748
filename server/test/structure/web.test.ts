// The walls of the dashboard: who may import whom in web/src, and other rules of docs/internals/dashboard.md.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../../web/src')

/** The aim is 47,000. More needs a row in docs/internals/choices.md that names the capability. */
const maxLines = 49_750

/** From the top: each room imports only those below it. */
const rooms = ['frame', 'pages', 'editor', 'records', 'ui', 'api', 'state', 'texts']

/** From the top: each folder of the editor imports only those below it. `''`: the files of `editor/` itself. */
const editorFolders = [
  '',
  'panels',
  'canvas',
  'problems',
  'inspector',
  'actions',
  'text',
  'inputs',
  'saving',
  'rendering',
  'blocks',
  'kit',
  'model',
]

interface Import {
  readonly file: string
  readonly to: string
  /** As it is written: `#ui/base/button.tsx`. */
  readonly specifier: string
}

const files = globSync('**/*.{ts,tsx}', { cwd: src }).map(file => ({
  file,
  text: readFileSync(join(src, file), 'utf8'),
}))

const imports: readonly Import[] = files.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([.#][^']+)'/gm)].map(([, specifier = '']) => ({
    file,
    to: specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier),
    specifier,
  })),
)

/** `a/b` → `a/b`, `a` */
const ancestorsOf = (folder: string): string[] =>
  folder === '.' ? [] : [folder, ...ancestorsOf(dirname(folder))]

const roomOf = (path: string): string => path.split('/')[0] ?? ''
const areaOf = (path: string): string | undefined => /^pages\/([^/]+)/.exec(path)?.[1]
const editorFolderOf = (path: string): string | undefined =>
  path.startsWith('editor/') ? (/^editor\/(?:(.+)\/)?[^/]+$/.exec(path)?.[1] ?? '') : undefined
const floorOf = (path: string): number => rooms.indexOf(roomOf(path))
const breaking = (rule: (each: Import) => boolean): string[] =>
  imports.filter(rule).map(({ file, to }) => `${file} → ${to}`)

describe('the dashboard', () => {
  it('has imports that are seen', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(imports.length).toBeGreaterThan(2_500)
    const inUse = new Set(files.map(({ file }) => roomOf(file)))
    expect([...inUse].filter(room => room !== 'main.tsx').sort()).toEqual([...rooms].sort())
  })

  it('imports only down: frame, pages, editor, records, ui, api, state, texts', () => {
    const isUp = ({ file, to }: Import) => file !== 'main.tsx' && floorOf(to) < floorOf(file)
    expect(breaking(isUp)).toEqual([])
  })

  it('has pages that import no other area, and widgets that know nothing of the API', () => {
    const isOther = ({ file, to }: Import) =>
      roomOf(file) === 'pages' && areaOf(to) !== undefined && areaOf(to) !== areaOf(file)
    expect(breaking(isOther)).toEqual([])
    expect(breaking(({ file, to }) => roomOf(file) === 'ui' && roomOf(to) === 'api')).toEqual([])
    expect(breaking(({ file, to }) => roomOf(file) === 'api' && roomOf(to) === 'ui')).toEqual([])
  })

  it('has an editor of at most 160 files, 20 in a folder, whose folders import only down', () => {
    const folders = files.flatMap(({ file }) => editorFolderOf(file) ?? [])
    expect(folders.length).toBeGreaterThan(100)
    expect(folders.length).toBeLessThanOrEqual(160)
    expect([...new Set(folders)].sort()).toEqual([...editorFolders].sort())
    const full = [...Map.groupBy(folders, folder => folder)].filter(([, all]) => all.length > 20)
    expect(full.map(([folder]) => folder)).toEqual([])
    const isUp = ({ file, to }: Import) => {
      const [from, target] = [editorFolderOf(file), editorFolderOf(to)]
      if (from === undefined || target === undefined) return false
      return editorFolders.indexOf(target) < editorFolders.indexOf(from)
    }
    expect(breaking(isUp)).toEqual([])
  })

  it('imports over rooms by #, within a room by a relative path', () => {
    const isWrong = ({ file, to, specifier }: Import) =>
      file !== 'main.tsx' && specifier.startsWith('#') !== (roomOf(file) !== roomOf(to))
    expect(breaking(isWrong)).toEqual([])
  })

  it('imports only packages of web/package.json', () => {
    const { dependencies } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8'))
    const packages = files.flatMap(({ file, text }) =>
      [
        ...text
          .replaceAll(/^import type .*$/gm, '')
          .matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(@[^/']+\/[^/']+|\w[^/']*)[^']*'/gm),
      ].map(([, name = '']) => ({ file, name })),
    )
    expect(packages.length).toBeGreaterThan(500)
    const unknown = packages.filter(({ name }) => !(name in dependencies))
    expect(unknown.map(({ file, name }) => `${file} → ${name}`)).toEqual([])
  })

  it('declares every exported name once', () => {
    const declared = files.flatMap(({ file, text }) =>
      [
        ...text.matchAll(
          /^export (?:async )?(?:interface|type|(?:abstract )?class|function\*?|const|let|enum) (\w+)/gm,
        ),
      ].map(([, name = '']) => ({ file, name })),
    )
    expect(declared.length).toBeGreaterThan(1_000)
    const places = Map.groupBy(declared, ({ name }) => name)
    const repeated = [...places].filter(([, all]) => new Set(all.map(({ file }) => file)).size > 1)
    expect(repeated.map(([name, all]) => [name, ...all.map(({ file }) => file)])).toEqual([])
  })

  it('has folders of at most 20 files and 12 sub-folders, areas not counted', () => {
    const folders = Map.groupBy(files, ({ file }) => dirname(file))
    const parents = new Set([...folders.keys()].flatMap(folder => ancestorsOf(folder)))
    const subFolders = Map.groupBy(parents, folder => dirname(folder))
    expect(folders.size).toBeGreaterThan(40)
    const full = [...folders].filter(([, all]) => all.length > 20).map(([folder]) => folder)
    const wide = [...subFolders].filter(([folder, all]) => folder !== 'pages' && all.length > 12)
    expect([...full, ...wide.map(([folder]) => folder)]).toEqual([])
  })

  it('keeps to its budget of lines', () => {
    const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
    expect(lines).toBeLessThanOrEqual(maxLines)
  })

  it('stays in small files', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 400)
    expect(long.map(({ file }) => file)).toEqual([])
  })
})
