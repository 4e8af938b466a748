export {
  findMember,
  hasPersonalPage,
  insertMember,
  keepEventsFor,
  listWorkspaces,
  membersOf,
  type Switch,
  type TrackedSite,
  trackedSite,
  turn,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
