import type { Route } from '#kernel/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import type { SsoDeps } from './deps.ts'
import { policyRoutes } from './policy/routes.ts'

/** The routes under /v1. */
export const ssoRoutes = (deps: SsoDeps): readonly Route[] => [...connectionRoutes(deps), ...policyRoutes]
