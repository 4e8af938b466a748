export { findMember, insertMember, listWorkspaces, membersOf } from './queries.ts'
export { workspaceRoutes } from './routes.ts'
export { addMember, createWorkspace, firstStart } from './rules.ts'
