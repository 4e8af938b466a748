export { checklistRoutes } from './checklist/routes.ts'
export type { ChecklistDeps, PendingApprovals } from './checklist/rules.ts'
export { workspaceCreationRoutes } from './creation/routes.ts'
export {
  findWorkspace,
  hasPersonalPage,
  listWorkspaces,
  type MailIdentity,
  mailIdentityOf,
  publishApprovalOf,
  type TrackedSite,
  trackedSite,
  workspacesByIds,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { createFirstWorkspace, createWorkspace } from './rules.ts'
export { Workspace, type WorkspacePatch } from './schemas.ts'
export {
  changeClickParameter,
  changeEventRetention,
  changeSwitch,
  changeWorkspace,
  knownClickParameters,
  type WorkspaceDeps,
  type WorkspaceSwitch,
} from './settings.ts'
