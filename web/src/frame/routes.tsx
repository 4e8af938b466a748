// Every page and its address, from the areas in `pages/`.
import { createRootRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Scope } from '#api/client.ts'

import { useCan } from '#api/session.ts'
import { readEarly } from '#editor/saving/early-reads.ts'

import type { Area, AreaPage } from '#records/area.ts'
import { AreaTexts, loadAllTexts } from '#records/area-part.tsx'
import { CrashPage, NoAccessPage, NotFoundPage } from '#records/failures.tsx'
import { loadPart } from '#state/load-part.ts'
import { areaRoutes, type PageParams } from './area-routes.ts'
import { areas } from './navigation.ts'
import { Root } from './root.tsx'

function ScopeGate({ needs, children }: { readonly needs: Scope | undefined; readonly children: ReactNode }) {
  const can = useCan()
  return needs === undefined || can(needs) ? children : <NoAccessPage />
}

/** Pages are loaded when they are opened, together with their texts. */
const componentOf = (area: Area, page: AreaPage) =>
  lazyRouteComponent(async () => {
    const [{ default: PageContent }, texts] = await loadPart(() =>
      Promise.all([page.load(), loadAllTexts(page.texts ?? [area.id])]),
    )
    return {
      default: () => (
        <AreaTexts texts={texts}>
          <ScopeGate needs={page.needs ?? area.needs}>
            <PageContent />
          </ScopeGate>
        </AreaTexts>
      ),
    }
  })

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const reads = {
  '/signatures/$id/edit': ({ id }: PageParams) => readEarly(id),
  '/campaigns/$id/edit': () => readEarly(),
}

export const router = createRouter({
  routeTree: root.addChildren(areaRoutes(areas, { root, componentOf, reads })),
  defaultPreload: 'intent',
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

/** Loads the code of the page that is opened, and begins its requests, before the session is known. */
export function beginFirstPage(): void {
  for (const { staticData, params } of router.matchRoutes(router.latestLocation)) staticData.begin?.(params)
}
