export {
  findWorkspace,
  hasPersonalPage,
  listWorkspaces,
  type TrackedSite,
  trackedSite,
  type WorkspaceSwitch,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export {
  changeClickParameter,
  changeEventRetention,
  changeSwitch,
  createFirstWorkspace,
  createWorkspace,
  knownClickParameters,
  type WorkspaceDeps,
} from './rules.ts'
export { Workspace } from './schemas.ts'
