// Follows “Add a page” of CONTRIBUTING.md with a made-up area: what one `area.ts` is enough for.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { afterAll, describe, expect, it } from 'vitest'
import { dashboardPathsOf, readAreas } from '../../server/src/dashboard/pages.ts'
import { areaRoutes } from '../src/frame/area-routes.ts'
import { areas, navigationOf } from '../src/frame/navigation.ts'
import type { Area } from '../src/records/area.ts'

const folder = await mkdtemp(join(tmpdir(), 'signoff-pages-'))
afterAll(() => rm(folder, { recursive: true }))

await mkdir(join(folder, 'labels'))
await writeFile(
  join(folder, 'labels/area.ts'),
  `import type { Area } from '#records/area.ts'

export default {
  id: 'labels',
  needs: 'folders:read',
  menu: { name: { en: 'Labels', de: 'Etiketten' }, icon: 'tag', group: 2, order: 9 },
  pages: {
    '/labels': { load: () => import('./labels-page.tsx') },
    '/labels/$id': { load: () => import('./label-page.tsx'), needs: 'folders:write' },
  },
} as unknown as Area
`,
)
const labels = (await readAreas(folder)) as readonly Area[]
const all = [...areas, ...labels]
const member = { role: 'manager' } as Parameters<typeof navigationOf>[1]['member']

describe('a new page', () => {
  it('has a route, with its scope and texts', async () => {
    const root = createRootRoute()
    const opened: unknown[] = []
    const router = createRouter({
      routeTree: root.addChildren(
        areaRoutes(all, {
          root,
          componentOf: ({ id, needs }, page) => {
            if (id === ('labels' as string)) opened.push([page.needs ?? needs, page.texts ?? [id]])
            return lazyRouteComponent(async () => ({ default: () => null }))
          },
        }),
      ),
      history: createMemoryHistory({ initialEntries: ['/labels/7'] }),
    })
    const [match] = router.matchRoutes(router.latestLocation).slice(-1)
    expect([match?.routeId, match?.params]).toEqual(['/labels/$id', { id: '7' }])
    expect(opened).toEqual([
      ['folders:read', ['labels']],
      ['folders:write', ['labels']],
    ])
  })

  it('stands in the menu and the command palette for those who may read it', () => {
    const namesFor = (scopes: readonly string[]) =>
      navigationOf(all, { scopes: scopes as never, member }).map(group => group.map(({ name }) => name.en))
    expect(namesFor(['folders:read', 'teammates:read'])).toEqual([
      ['Home', 'My signature'],
      ['People', 'Labels'],
    ])
    expect(namesFor([])).toEqual([['Home', 'My signature']])
  })

  it('is answered by the service', () => {
    expect(dashboardPathsOf(labels)).toEqual(['/labels', '/labels/{id}'])
  })
})
