import type { Route } from '#kernel/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import type { SsoDeps } from './deps.ts'
import { policyRoutes } from './policy/routes.ts'

export { type CheckResult, type CheckStep, checkConnection } from './check/steps.ts'
export {
  type ConnectionChoice,
  type ConnectionView,
  connectionChoices,
  connectionChoicesFor,
  hasSingleSignOn,
  listConnections,
  resealClientSecret,
  sealedClientSecrets,
  storeCheck,
} from './connections/queries.ts'
export {
  changeConnection,
  createConnection,
  deleteConnection,
  findOwnConnection,
  loadMetadata,
} from './connections/rules.ts'
export type { SsoDeps } from './deps.ts'
export { findPolicy } from './policy/queries.ts'
export { changePolicy, signInPolicyOf } from './policy/rules.ts'
export { unlinkMember } from './sign-in/queries.ts'
export { type SsoRouteDeps, ssoSignInRoutes } from './sign-in/routes.ts'

export const ssoRoutes = (deps: SsoDeps): readonly Route[] => [...connectionRoutes(deps), ...policyRoutes]
