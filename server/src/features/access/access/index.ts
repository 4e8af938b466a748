export {
  type Account,
  findAccount,
  findAccountByEmail,
  lockAccount,
} from '#features/workspace/accounts/index.ts'
export { checkInNetwork, SignInAttempts } from './attempts.ts'
export { browserOf } from './browsers.ts'
export type { AccessDeps, SecondFactor, SignInPolicy } from './deps.ts'
export { accessJobs } from './jobs.ts'
export { limitInvitationMails } from './links/invitation-mails.ts'
export { linkJobs } from './links/jobs.ts'
export { isNetworkLimited, isPageLinkAllowed } from './links/mail-limits.ts'
export { createResetLink, type ResetState, readReset } from './links/password-resets.ts'
export { safeReturnPath } from './links/return-path.ts'
export { linkRoutes } from './links/routes.ts'
export { createSignInLink } from './links/sign-in-links.ts'
export { verifyAccount } from './links/verification.ts'
export { hashPassword, verifyPassword } from './passwords/hashing.ts'
export { checkPassword } from './passwords/rules.ts'
export { profileRoutes } from './profile/routes.ts'
export { accessRoutes, signedIn, signInRoutes } from './routes.ts'
export { SecondFactorNeeded } from './schemas.ts'
export { setSessionWorkspace } from './sessions/queries.ts'
export { endSessionsOfMember, renewToken } from './sessions/rights.ts'
export {
  type AccountHolder,
  auditAccount,
  auditingRefusal,
  auditRefusal,
  checkRecentSignIn,
  endSessionsOf,
  findSessionCredential,
  rememberWorkspace,
  renewSession,
  type SignInClient,
  type StartedSession,
  startSession,
} from './sessions/rules.ts'
export { checkActsForOwner, endSsoSessions, otherAccountIn } from './sessions/sso-sessions.ts'
export { createSetupLink, isSetUp, readSetup } from './setup/rules.ts'
export { browserHashOf, hashToken, newToken } from './tokens.ts'
export { hasWayIn, type WaysInDeps } from './ways-in.ts'
