import type { Route } from '#kernel/api/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import type { SsoRouteDeps } from './deps.ts'
import { policyRoutes } from './policy/routes.ts'

/** The routes under /v1. */
export const ssoRoutes = (deps: SsoRouteDeps): readonly Route[] => [
  ...connectionRoutes(deps),
  ...policyRoutes(deps),
]
