export { audited, auditedEach } from './queries.ts'
export { auditLogRoutes } from './routes.ts'
