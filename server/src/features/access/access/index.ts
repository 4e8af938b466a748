export {
  type Account,
  findAccount,
  findAccountByEmail,
  insertAccount,
  lockAccount,
} from '#features/workspace/accounts/index.ts'
export { checkInNetwork, SignInAttempts } from './attempts.ts'
export { browserOf } from './browsers.ts'
export type {
  AccessDeps,
  SecondFactor,
  SignInPolicy,
  WayIn,
} from './deps.ts'
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
export { setPassword } from './rules.ts'
export { SecondFactorNeeded } from './schemas.ts'
export { setSessionWorkspace } from './sessions/queries.ts'
export { endSessionsOfMember, renewToken } from './sessions/rights.ts'
export {
  auditAccount,
  auditingRefusal,
  auditRefusal,
  checkRecentSignIn,
  endSession,
  endSessionsOf,
  findSessionCredential,
  rememberWorkspace,
  renewSession,
  type SignedInAccount,
  type SignInClient,
  type StartedSession,
  startSession,
} from './sessions/rules.ts'
export { checkActsForOwner, endSsoSessions, otherAccountIn } from './sessions/sso-sessions.ts'
export { createSetupLink, isSetUp, readSetup, type SetupState } from './setup/rules.ts'
export { browserHashOf, hashToken, type LinkToken, newToken } from './tokens.ts'
export { hasWayIn, type WaysInDeps } from './ways-in.ts'
