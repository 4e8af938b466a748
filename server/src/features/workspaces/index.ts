export {
  findMember,
  hasPersonalPage,
  insertMember,
  keepEventsFor,
  listWorkspaces,
  membersOf,
  setSwitch,
  type TrackedSite,
  trackedSite,
  type WorkspaceSwitch,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
