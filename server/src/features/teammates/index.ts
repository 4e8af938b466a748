export { importTeammates } from './import.ts'
export { teammateRoutes } from './routes.ts'
