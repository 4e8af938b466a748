export { type BuiltInField, builtInFields } from './built-ins.ts'
export { fieldResolver, type SmartFieldName, smartFieldName } from './names.ts'
export {
  addBuiltIns,
  clearMappings,
  lockFieldsForShare,
  mapFieldsTo,
  type SmartField,
  smartFieldsOf,
} from './queries.ts'
export { smartFieldRoutes } from './routes.ts'
export { changeField, createField, fitsKind, type SmartFieldDeps } from './rules.ts'
export { smartFieldKinds } from './schemas.ts'
