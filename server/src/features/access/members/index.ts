export { invitationAcceptRoutes } from './invitations/routes.ts'
export { isBacked, isInUse } from './invitations/rules.ts'
export { mailRoleChange } from './mails.ts'
export { checkCanGive } from './permissions.ts'
export { memberRoutes } from './routes.ts'
export {
  changeMember,
  type Invited,
  inviteMember,
  type MemberDeps,
  makeOwner,
  removeMember,
  resendInvitation,
} from './rules.ts'
export { type GivenRole, givenRoles } from './schemas.ts'
