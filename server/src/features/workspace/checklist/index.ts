export { checklistRoutes } from './routes.ts'
export type { ChecklistDeps } from './rules.ts'
