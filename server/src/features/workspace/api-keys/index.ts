export { deleteExpiredSecrets, endKeysOf, findCredential, keysOf } from './queries.ts'
export { apiKeyRoutes } from './routes.ts'
export { createKey, type NewKey, revokeKey } from './rules.ts'
