export { templateFileRoutes, templateRoutes } from './routes.ts'
export { draftFromTemplate, templateIds } from './rules.ts'
