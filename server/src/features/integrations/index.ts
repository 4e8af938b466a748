export { hasIntegration, insertEntities, insertIntegration, isDirectoryDriven } from './queries.ts'
export { integrationRoutes } from './routes.ts'
export { refuseIfDirectoryDriven } from './rules.ts'
