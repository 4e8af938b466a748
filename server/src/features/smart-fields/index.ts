export { addBuiltIns, lockFieldsForShare, type SmartField, smartFieldsOf } from './queries.ts'
export { smartFieldRoutes } from './routes.ts'
export { createField, fitsKind } from './rules.ts'
