export { checkConnection, recordCheck } from './check/steps.ts'
export {
  type ConnectionView,
  connectionChoices,
  connectionChoicesFor,
  hasActiveConnections,
  hasSingleSignOn,
  listConnections,
  resealClientSecret,
  sealedClientSecrets,
} from './connections/queries.ts'
export {
  changeConnection,
  createConnection,
  deleteConnection,
  findOwnConnection,
  loadMetadata,
} from './connections/rules.ts'
export type { SsoDeps } from './deps.ts'
export { ssoJobs } from './jobs.ts'
export { findPolicy } from './policy/queries.ts'
export { changePolicy, signInPolicyOf } from './policy/rules.ts'
export { ssoRoutes } from './routes.ts'
export { unlinkMember } from './sign-in/queries.ts'
export { ssoSignInRoutes } from './sign-in/routes.ts'
