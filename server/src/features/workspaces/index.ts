export {
  findMember,
  hasPersonalPage,
  insertMember,
  listWorkspaces,
  membersOf,
  switchPersonalPage,
  type TrackedSite,
  trackedSite,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
