// The addresses of the dashboard's pages, from the areas in `web/src/pages/<area>/area.ts`. Those files import types alone,
// so that the service can load them.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Area {
  readonly pages: Readonly<Record<string, object>>
}

const folder = join(import.meta.dirname, '../../../web/src/pages')

export const readAreas = (from: string): Promise<readonly Area[]> =>
  Promise.all(
    globSync('*/area.ts', { cwd: from }).map(
      async file => (await import(pathToFileURL(join(from, file)).href)).default as Area,
    ),
  )

const parameters = ['{id}', '{part}', '{detail}']

/**
 * The pages besides `/`, as OpenAPI writes paths. Below its first segment, an area answers every address of a depth that it
 * has: the dashboard says that a page is missing.
 */
export function dashboardPathsOf(areas: readonly Area[]): readonly string[] {
  const paths = areas
    .flatMap(({ pages }) => Object.keys(pages))
    .filter(path => path !== '/')
    .map(path => {
      const [first, ...rest] = path.slice(1).split('/')
      return `/${[first, ...rest.map((_, index) => parameters[index] ?? `{detail_${index}}`)].join('/')}`
    })
  return [...new Set(paths)].sort()
}

export const dashboardPaths = dashboardPathsOf(await readAreas(folder))
