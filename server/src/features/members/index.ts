export { invitationAcceptRoutes } from './invitations/routes.ts'
export { memberRoutes } from './routes.ts'
export {
  changeMember,
  type Invited,
  inviteMember,
  type MemberDeps,
  makeOwner,
  type NewInvitation,
  removeMember,
  resendInvitation,
} from './rules.ts'
