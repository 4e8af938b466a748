export { type CheckStep, checkConnection, type SsoCheckResult } from './check/steps.ts'
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
export { ssoRoutes } from './routes.ts'
export { unlinkMember } from './sign-in/queries.ts'
export { type SsoRouteDeps, ssoSignInRoutes } from './sign-in/routes.ts'
