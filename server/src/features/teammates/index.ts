export { importTeammates } from './import.ts'
export { lockTeammate, ownersOf } from './queries.ts'
export { teammateRoutes } from './routes.ts'
export { createTeammate } from './rules.ts'
