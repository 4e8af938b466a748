export { contentImportRoutes } from './routes.ts'
