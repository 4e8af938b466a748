export { importTeammates } from './import.ts'
export { holdTeammate, ownersOf } from './queries.ts'
export { teammateRoutes } from './routes.ts'
