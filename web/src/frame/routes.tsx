// Every page and its address. Bookmarks and mails lead there, so the addresses stay.
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { readEarly } from '#editor/page/early-reads.ts'
import { CrashPage, NotFoundPage } from '#records/failures.tsx'
import { areaPage } from './area-page.tsx'
import { Root } from './root.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

type PageParams = Readonly<Record<string, string>>

/** `read` begins the requests of the page while its code is loaded. */
const page = (path: string, component: ReturnType<typeof areaPage>, read?: (params: PageParams) => void) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component,
    loader: ({ cause, params }) => {
      // A pointer over a link loads the code of the page, not its data.
      if (cause === 'enter') read?.(params)
    },
    staticData: {
      begin(params: PageParams) {
        // A failure is shown when the page is drawn, which loads again.
        component.preload?.()?.catch(() => undefined)
        read?.(params)
      },
    },
  })

const moved = (path: string, to: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to })
    },
  })

const routes = [
  page(
    '/',
    areaPage(['home', 'audit'], () => import('#pages/home/home-page.tsx')),
  ),
  page(
    '/welcome',
    areaPage(['welcome', 'templates'], () => import('#pages/welcome/welcome-page.tsx'), 'signatures:write'),
  ),
  page(
    '/signatures',
    areaPage(
      ['signatures', 'templates', 'installations'],
      () => import('#pages/signatures/signatures-page.tsx'),
      'signatures:read',
    ),
  ),
  page(
    '/signatures/$id',
    areaPage(
      ['signatures', 'installations'],
      () => import('#pages/signatures/signature-page.tsx'),
      'signatures:read',
    ),
  ),
  page(
    '/signatures/$id/edit',
    areaPage(['editor'], () => import('#editor/editor-page.tsx'), 'signatures:write'),
    ({ id }) => readEarly(id),
  ),
  page(
    '/signatures/$id/recipients',
    areaPage(
      ['signatures', 'installations'],
      () => import('#pages/signatures/recipients-page.tsx'),
      'signatures:read',
    ),
  ),
  page(
    '/signatures/$id/versions',
    areaPage(
      ['signatures', 'installations'],
      () => import('#pages/signatures/versions-page.tsx'),
      'signatures:read',
    ),
  ),
  page(
    '/people',
    areaPage(['people'], () => import('#pages/people/people-page.tsx'), 'teammates:read'),
  ),
  page(
    '/people/import',
    areaPage(['people'], () => import('#pages/people/import-page.tsx'), 'teammates:write'),
  ),
  page(
    '/people/$id',
    areaPage(
      ['people', 'audit', 'installations'],
      () => import('#pages/people/person-page.tsx'),
      'teammates:read',
    ),
  ),
  page(
    '/fields',
    areaPage(['fields'], () => import('#pages/fields/fields-page.tsx'), 'smart_fields:read'),
  ),
  page(
    '/campaigns',
    areaPage(
      ['campaigns', 'assets'],
      () => import('#pages/campaigns/campaigns-page.tsx'),
      'marketing_campaigns:read',
    ),
  ),
  page(
    '/campaigns/$id',
    areaPage(
      ['campaigns', 'signatures', 'assets'],
      () => import('#pages/campaigns/campaign-page.tsx'),
      'marketing_campaigns:read',
    ),
  ),
  page(
    '/campaigns/$id/edit',
    areaPage(['editor'], () => import('#editor/banner-editor-page.tsx'), 'marketing_campaigns:write'),
    () => readEarly(),
  ),
  page(
    '/analytics',
    areaPage(['analytics'], () => import('#pages/analytics/analytics-page.tsx'), 'analytics:read'),
  ),
  page(
    '/assets',
    areaPage(['assets'], () => import('#pages/assets/assets-page.tsx'), 'assets:read'),
  ),
  page(
    '/installations',
    areaPage(
      ['installations'],
      () => import('#pages/installations/installations-page.tsx'),
      'installations:read',
    ),
  ),
  page(
    '/integrations',
    areaPage(
      ['integrations'],
      () => import('#pages/integrations/integrations-page.tsx'),
      'integrations:read',
    ),
  ),
  page(
    '/integrations/new/$kind',
    areaPage(['integrations'], () => import('#pages/integrations/connect-page.tsx'), 'integrations:read'),
  ),
  page(
    '/integrations/$id',
    areaPage(
      ['integrations', 'installations'],
      () => import('#pages/integrations/integration-page.tsx'),
      'integrations:read',
    ),
  ),
  page(
    '/integrations/$id/setup',
    areaPage(['integrations'], () => import('#pages/integrations/setup-page.tsx'), 'integrations:read'),
  ),
  page(
    '/integrations/$id/values',
    areaPage(['integrations'], () => import('#pages/integrations/values-page.tsx'), 'integrations:read'),
  ),
  page(
    '/integrations/$id/runs',
    areaPage(['integrations'], () => import('#pages/integrations/runs-page.tsx'), 'integrations:read'),
  ),
  page(
    '/integrations/$id/runs/$run',
    areaPage(['integrations'], () => import('#pages/integrations/run-page.tsx'), 'integrations:read'),
  ),
  page(
    '/integrations/$id/settings',
    areaPage(
      ['integrations'],
      () => import('#pages/integrations/integration-settings-page.tsx'),
      'integrations:read',
    ),
  ),
  page(
    '/approvals',
    areaPage(['approvals'], () => import('#pages/approvals/approvals-page.tsx'), 'signatures:write'),
  ),
  moved('/settings', '/settings/workspace'),
  page(
    '/settings/workspace',
    areaPage(['settings'], () => import('#pages/settings/workspace-page.tsx')),
  ),
  page(
    '/settings/brand',
    areaPage(['settings'], () => import('#pages/settings/brand-page.tsx')),
  ),
  page(
    '/settings/members',
    areaPage(['settings'], () => import('#pages/settings/members-page.tsx')),
  ),
  page(
    '/settings/sign-in',
    areaPage(['settings'], () => import('#pages/settings/sign-in-page.tsx')),
  ),
  page(
    '/settings/keys',
    areaPage(['settings'], () => import('#pages/settings/keys-page.tsx')),
  ),
  page(
    '/settings/webhooks',
    areaPage(['settings'], () => import('#pages/settings/webhooks-page.tsx')),
  ),
  page(
    '/settings/audit',
    areaPage(['settings', 'audit'], () => import('#pages/settings/audit-page.tsx')),
  ),
  page(
    '/settings/billing',
    areaPage(['settings'], () => import('#pages/settings/billing-page.tsx')),
  ),
  page(
    '/me',
    areaPage(['me'], () => import('#pages/me/me-page.tsx')),
  ),
  page(
    '/account',
    areaPage(['account'], () => import('#pages/account/account-page.tsx')),
  ),
]

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

/** Loads the code of the page that is opened, and begins its requests, before the session is known. */
export function beginFirstPage(): void {
  for (const { staticData, params } of router.matchRoutes(router.latestLocation)) staticData.begin?.(params)
}
