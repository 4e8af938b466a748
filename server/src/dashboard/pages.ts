// The addresses of the dashboard's pages. Bookmarks and mails lead there, so they stay; `web/src/frame/routes.tsx` shows the
// pages.

/** The pages besides `/`, as OpenAPI writes paths. */
export const dashboardPaths: readonly string[] = [
  '/welcome',
  '/signatures',
  '/signatures/{id}',
  '/signatures/{id}/{part}',
  '/people',
  '/people/{id}',
  '/fields',
  '/campaigns',
  '/campaigns/{id}',
  '/campaigns/{id}/edit',
  '/analytics',
  '/assets',
  '/installations',
  '/integrations',
  '/integrations/{id}',
  '/integrations/{id}/{part}',
  '/integrations/{id}/runs/{run_id}',
  '/approvals',
  '/settings',
  '/settings/{part}',
  '/me',
  '/account',
]
