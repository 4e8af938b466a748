export { pageRoutes, personalPageRoutes } from './routes.ts'
