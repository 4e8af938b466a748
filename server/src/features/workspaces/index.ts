export {
  findMember,
  hasPersonalPage,
  insertMember,
  listWorkspaces,
  membersOf,
  setEventRetention,
  setSwitch,
  type TrackedSite,
  trackedSite,
  type WorkspaceSwitch,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
