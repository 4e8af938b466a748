export { deleteExpiredSecrets, endKeysOf, findCredential, keysOf } from './queries.ts'
export { apiKeyRoutes } from './routes.ts'
export { createKey, revokeKey } from './rules.ts'
