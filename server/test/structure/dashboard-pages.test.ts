// The pages of the dashboard: the service answers each address, and each page loads the texts that it shows.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dashboardPaths } from '#dashboard/pages.ts'

const routesFile = join(import.meta.dirname, '../../../web/src/app/routes.tsx')
const routes = readFileSync(routesFile, 'utf8')

/** `/people/$id` and the address of a page that moved. */
const addresses = [...routes.matchAll(/\b(?:page|moved)\(\s*'([^']+)'/g)].map(([, path = '']) => path)

const pages = [
  ...routes.matchAll(/page\(\s*'([^']+)',\s*areaPage\(\s*\[([^\]]*)\],\s*\(\) => import\('([^']+)'\)/g),
].map(([, path = '', areas = '', file = '']) => ({
  path,
  areas: [...areas.matchAll(/'(\w+)'/g)].map(([, area = '']) => area),
  file: join(dirname(routesFile), file),
}))

const isServed = (address: string): boolean =>
  address === '/' ||
  dashboardPaths.some(path =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address.replace(/\$\w+/g, 'x')),
  )

const importedBy = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+\.tsx?)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )

/** The areas of texts that a page uses, with its parts that are loaded later. */
function textsUsedBy(page: string): Set<string> {
  const areas = new Set<string>()
  const files = new Set([page])
  for (const file of files) {
    if (!existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    for (const [, area = ''] of text.matchAll(/useTranslations\('(\w+)/g)) areas.add(area)
    for (const imported of importedBy(file, text)) files.add(imported)
  }
  areas.delete('shell')
  return areas
}

describe('the pages of the dashboard', () => {
  it('are all found in the routes', () => {
    expect(addresses.length).toBeGreaterThan(20)
    const withTexts = pages.map(({ path }) => path)
    expect(addresses.filter(path => !withTexts.includes(path))).toEqual(['/settings'])
  })

  it('are answered by the service at their own addresses', () => {
    expect(addresses.filter(address => !isServed(address))).toEqual([])
  })

  it.each(pages)('$path loads the texts that it shows', ({ areas, file }) => {
    expect([...textsUsedBy(file)].filter(area => !areas.includes(area))).toEqual([])
  })
})
