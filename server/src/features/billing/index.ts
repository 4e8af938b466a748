export { hasDocument, insertDocument } from './queries.ts'
export { billingRoutes } from './routes.ts'
