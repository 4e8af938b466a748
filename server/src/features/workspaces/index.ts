export {
  findMember,
  hasPersonalPage,
  insertMember,
  listWorkspaces,
  membersOf,
  type TrackedSite,
  trackedSite,
  type WorkspaceSwitch,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export {
  addMember,
  changeEventRetention,
  changeSwitch,
  createFirstWorkspace,
  createWorkspace,
  type WorkspaceDeps,
} from './rules.ts'
