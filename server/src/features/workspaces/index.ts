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
  changeClickParameter,
  changeEventRetention,
  changeSwitch,
  createFirstWorkspace,
  createWorkspace,
  knownClickParameters,
  type WorkspaceDeps,
} from './rules.ts'
