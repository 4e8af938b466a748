import { type AnyRootRoute, createRoute, type lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Area, AreaPage } from '#records/area.ts'

export type PageParams = Readonly<Record<string, string>>

interface RouteOptions {
  readonly root: AnyRootRoute
  readonly componentOf: (area: Area, page: AreaPage) => ReturnType<typeof lazyRouteComponent>
  /** Begins the requests of a page while its code is loaded, by path. */
  readonly reads?: Readonly<Record<string, (params: PageParams) => void>>
}

export const areaRoutes = (areas: readonly Area[], { root, componentOf, reads = {} }: RouteOptions) =>
  areas.flatMap(area =>
    Object.entries(area.pages).map(([path, page]) => {
      if ('redirect' in page)
        return createRoute({
          getParentRoute: () => root,
          path,
          beforeLoad: () => {
            throw redirect({ to: page.redirect })
          },
        })
      const component = componentOf(area, page)
      return createRoute({
        getParentRoute: () => root,
        path,
        component,
        loader: ({ cause, params }) => {
          // A pointer over a link loads the code of the page, not its data.
          if (cause === 'enter') reads[path]?.(params)
        },
        staticData: {
          begin(params: PageParams) {
            // A failure is shown when the page is drawn, which loads again.
            component.preload?.()?.catch(() => undefined)
            reads[path]?.(params)
          },
        },
      })
    }),
  )
