export {
  findMember,
  hasPersonalPage,
  insertMember,
  listWorkspaces,
  membersOf,
  switchPersonalPage,
} from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
