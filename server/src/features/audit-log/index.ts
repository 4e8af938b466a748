export { audited, auditedEach, insertPastEntries, type PastEntry } from './queries.ts'
export { auditLogRoutes } from './routes.ts'
