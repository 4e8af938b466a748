export { fieldResolver, type NamedField, type SmartFieldName, smartFieldName } from './names.ts'
export { addBuiltIns, lockFieldsForShare, type SmartField, smartFieldsOf } from './queries.ts'
export { smartFieldRoutes } from './routes.ts'
export { createField, fitsKind } from './rules.ts'
