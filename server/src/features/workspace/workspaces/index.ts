export { workspaceCreationRoutes } from './creation/routes.ts'
export { isInternalMail } from './own-domains.ts'
export {
  directoryDomains,
  findWorkspace,
  hasPersonalPage,
  listWorkspaces,
  type MailIdentity,
  mailIdentityOf,
  ownDomains,
  ownDomainsOf,
  publishApprovalOf,
  saveChecklistDismissal,
  type TrackedSite,
  trackedSite,
  workspacesByIds,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { createFirstWorkspace, createWorkspace } from './rules.ts'
export { Workspace, type WorkspacePatch } from './schemas.ts'
export { changeSeatLimit, FreeSeats, lockFreeSeats, noSeatLeft, readFreeSeats } from './seats/rules.ts'
export { canonicalDomain } from './setting-values.ts'
export {
  changeClickParameter,
  changeEventRetention,
  changeSwitch,
  changeWorkspace,
  knownClickParameters,
  type WorkspaceDeps,
} from './settings.ts'
