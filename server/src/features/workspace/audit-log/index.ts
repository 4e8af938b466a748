export { audited, auditedEach, auditedInsert, insertPastEntries, type PastEntry } from './queries.ts'
export { auditLogRoutes } from './routes.ts'
