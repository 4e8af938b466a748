export { invitationJobs } from './invitations/jobs.ts'
export { invitationRoutes } from './invitations/routes.ts'
export { pageRoutes, personalPageRoutes } from './routes.ts'
export { pageAddress, pageOfTeammate, pageOwnerCaller } from './rules.ts'
