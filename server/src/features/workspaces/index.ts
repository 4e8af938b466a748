export {
  findMember,
  hasPersonalPage,
  insertMember,
  listWorkspaces,
  type MailIdentity,
  mailIdentityOf,
  membersOf,
  type TrackedSite,
  trackedSite,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createFirstWorkspace, createWorkspace } from './rules.ts'
export type { WorkspacePatch } from './schemas.ts'
export {
  changeClickParameter,
  changeEventRetention,
  changeSwitch,
  changeWorkspace,
  knownClickParameters,
  type WorkspaceDeps,
  type WorkspaceSwitch,
} from './settings.ts'
