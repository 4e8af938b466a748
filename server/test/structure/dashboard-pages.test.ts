// The pages of the dashboard: the service answers each address, and each page loads the texts that it shows.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboardPaths, readAreas } from '#dashboard/pages.ts'

const web = join(import.meta.dirname, '../../../web/src')
const areasIn = (list: string): readonly string[] =>
  [...list.matchAll(/'(\w+)'/g)].map(([, area = '']) => area)

/** `#pages/…` from the folder of all, `./…` from the file. */
const fileOf = (from: string, path: string): string =>
  path.startsWith('#') ? join(web, path.slice(1)) : join(dirname(from), path)

const pageEntry = /'(\/[^']*)': \{\s*load: \(\) => import\('([^']+)'\)(?:,\s*texts: \[([^\]]*)\])?/g

const pages = globSync('pages/*/area.ts', { cwd: web }).flatMap(area => {
  const source = join(web, area)
  return [...readFileSync(source, 'utf8').matchAll(pageEntry)].map(([, path = '', file = '', list]) => ({
    path,
    areas: list === undefined ? [area.split('/')[1] ?? ''] : areasIn(list),
    file: fileOf(source, file),
  }))
})

/** `/people/$id` and the address of a page that moved. */
const addresses = (await readAreas(join(web, 'pages'))).flatMap(area => Object.keys(area.pages))

const isServed = (address: string): boolean =>
  address === '/' ||
  dashboardPaths.some(path =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address.replace(/\$\w+/g, 'x')),
  )

const importedBy = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport\()\s*'([.#][^']+\.tsx?)'/g)].map(([, path = '']) =>
    fileOf(file, path),
  )

interface Part {
  readonly file: string
  /** With those of the page around it. */
  readonly areas: readonly string[]
}

const partCall =
  /areaPart\(\s*\[([^\]]*)\],\s*(?:async )?\(\) => (?:\(\{\s*default: \(await )?import\(\s*'([^']+)'/g

/** The areas of texts that a page shows without loading them. Its parts are loaded later, some with texts of their own. */
function missingTexts(page: Part): readonly string[] {
  const missing = new Set<string>()
  const parts = [page]
  const seen = new Set<string>()
  for (const { file, areas } of parts) {
    const key = `${file} ${areas}`
    if (seen.has(key) || !existsSync(file)) continue
    seen.add(key)
    const text = readFileSync(file, 'utf8')
    for (const [, area = ''] of text.matchAll(/useTranslations\('(\w+)/g))
      if (area !== 'shell' && !areas.includes(area)) missing.add(`${area} in ${file}`)
    for (const [, list = '', path = ''] of text.matchAll(partCall))
      parts.push({ file: fileOf(file, path), areas: [...new Set([...areas, ...areasIn(list)])] })
    for (const imported of importedBy(file, text.replaceAll(partCall, '')))
      parts.push({ file: imported, areas })
  }
  return [...missing]
}

describe('the pages of the dashboard', () => {
  it('are all seen', () => {
    expect(addresses.length).toBeGreaterThan(20)
    const withTexts = pages.map(({ path }) => path)
    const moved = addresses.filter(path => !withTexts.includes(path))
    expect(moved.sort()).toEqual(['/images', '/settings', '/smart-fields'])
  })

  it('are answered by the service at their own addresses', () => {
    expect(addresses.filter(address => !isServed(address))).toEqual([])
  })

  it.each(pages)('$path loads the texts that it shows', ({ areas, file }) => {
    expect(missingTexts({ file, areas })).toEqual([])
  })
})
