// Accepting an invitation. The link proves that its holder reads the mailbox, or is trusted by an admin. That is enough
// to create an account, and never enough to get into one that is in use.
import {
  checkPassword,
  findSessionCredential,
  hashPassword,
  hashToken,
  renewToken,
  type SignInClient,
  type StartedSession,
  startSession,
  verifyAccount,
} from '#features/access/access/index.ts'
import {
  type Account,
  hasOwnMembership,
  joinWorkspace,
  lockAccount,
  lockInvitation,
  type OpenInvitation,
  setOrigin,
  updateAccount,
  updatePasswordHash,
} from '#features/workspace/accounts/index.ts'
import { mailIdentityOf } from '#features/workspace/workspaces/index.ts'
import { type Caller, isBelow, operator } from '#kernel/api/scopes.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { apiError, detail, orNotFound, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { MemberDeps } from '../rules.ts'
import type { InvitationAnswer, InvitationDetails } from './schemas.ts'

const noInvitation = () =>
  apiError('not_found', {
    message: 'This invitation does not exist any more: it was accepted, replaced, withdrawn or has expired.',
  })

const signInFirst = (email: string) =>
  apiError('missing_session', { message: `Sign in as ${email}, then accept the invitation.` })

/** The role that was offered must not be above the role that the inviter has now. */
export const isBacked = ({
  role,
  invited_by,
  inviter_role,
}: Pick<OpenInvitation, 'role' | 'invited_by' | 'inviter_role'>): boolean =>
  invited_by === null || (inviter_role !== null && !isBelow(inviter_role, role))

async function openInvitation(tx: Db, token: string): Promise<OpenInvitation> {
  const invitation = await lockInvitation(tx, hashToken(token), new Date())
  if (!invitation || !isBacked(invitation)) throw noInvitation()
  return invitation
}

/**
 * True if a person uses the account: it is verified, has a way to sign in, or a place in a workspace, such as that of a
 * member whom the operator added. Single sign-on of a workspace alone does not take an account into use: its admins decide
 * whom it names. The holder of an invitation must not be able to give such an account a password.
 */
export async function isInUse(
  tx: Db,
  account: Account,
  { secondFactorsOf }: MemberDeps['access'],
): Promise<boolean> {
  if (account.isVerified || account.hasPassword || (await hasOwnMembership(tx, account.id))) return true
  return (await secondFactorsOf(tx, account.id)).length > 0
}

async function needsOf(
  tx: Db,
  account: Account,
  signedInAs: string | null,
  { access }: MemberDeps,
): Promise<InvitationDetails['needs']> {
  if (signedInAs === account.id) return 'nothing'
  return (await isInUse(tx, account, access)) ? 'sign_in' : 'password'
}

/** The session of the browser that accepts. */
interface OwnSession {
  readonly sessionId: string
  readonly accountId: string
}

/**
 * Null without a session, or while its second factor is missing. Single sign-on of another workspace proves nothing
 * here.
 */
async function sessionSignedIn(
  db: Db,
  { headers }: SignInClient,
  { access }: MemberDeps,
): Promise<OwnSession | null> {
  const token = new SessionCookie(access.publicUrl).tokenIn(headers.cookie as string | undefined)
  const session = token === undefined ? null : await findSessionCredential(db, hashToken(token), access)
  return session && !session.isPending && session.ssoWorkspaceId === null && session.expiresAt > new Date()
    ? session
    : null
}

export async function describeInvitation(
  db: Db,
  token: string,
  client: SignInClient,
  deps: MemberDeps,
): Promise<InvitationDetails> {
  const session = await sessionSignedIn(db, client, deps)
  return db.transaction(tx => viewOf(tx, token, session?.accountId ?? null, deps))
}

async function viewOf(
  tx: Db,
  token: string,
  signedInAs: string | null,
  deps: MemberDeps,
): Promise<InvitationDetails> {
  const invitation = await openInvitation(tx, token)
  const account = orNotFound(await lockAccount(tx, invitation.account_id))
  return {
    workspace: { name: orNotFound(await mailIdentityOf(tx, invitation.workspace_id)).name },
    email: invitation.email,
    name: invitation.name,
    role: invitation.role,
    invited_by: invitation.inviter_name,
    needs: await needsOf(tx, account, signedInAs, deps),
  }
}

interface NewCredentials {
  readonly name: string
  readonly password: string
}

function credentialsOf({ name, password }: InvitationAnswer): NewCredentials {
  const missing = [...(name === undefined ? ['name'] : []), ...(password === undefined ? ['password'] : [])]
  if (name === undefined || password === undefined)
    throw validationError(missing.map(field => detail(field, 'missing', { missing: [field] })))
  return { name, password }
}

/** The member who joins, as the caller of the change. */
const callerOf = ({ workspace_id, member_id, account_id, email, role }: OpenInvitation): Caller => ({
  ...operator(workspace_id),
  memberId: member_id,
  actorId: member_id,
  memberEmail: email,
  accountId: account_id,
  role,
})

/** A new session, or the new token of the one that the browser has: it reaches a workspace more. */
export type JoinedBy = { readonly started: StartedSession } | { readonly cookie: string }

/** Joins the workspace. A new account gets a session; an account that exists must be signed in already. */
export async function acceptInvitation(
  db: Db,
  reply: InvitationAnswer,
  client: SignInClient,
  deps: MemberDeps,
): Promise<JoinedBy> {
  const session = await sessionSignedIn(db, client, deps)
  const signedInAs = session?.accountId ?? null
  const { needs, email } = await db.transaction(tx => viewOf(tx, reply.token, signedInAs, deps))
  if (needs === 'sign_in') throw signInFirst(email)
  // Hashing takes long: it happens before the transaction, and only for a valid link.
  const credentials = needs === 'password' ? credentialsOf(reply) : null
  if (credentials) await checkPassword(credentials.password, { email, name: credentials.name })
  const hash = credentials && (await hashPassword(credentials.password))
  return db.transaction(async tx => {
    const invitation = await openInvitation(tx, reply.token)
    const account = orNotFound(await lockAccount(tx, invitation.account_id))
    // Since the first transaction another invitation can have taken the account into use.
    if ((await needsOf(tx, account, signedInAs, deps)) !== needs) throw signInFirst(email)
    const name = credentials?.name ?? account.name
    const isProved = invitation.is_mailed && !account.isVerified
    // Mail goes to the address that was invited, not to another one that counts as the same.
    if (credentials || isProved) await updateAccount(tx, account.id, { email: invitation.email, name })
    if (credentials && hash) {
      await updatePasswordHash(tx, account.id, hash)
      // Members of the workspace saw the link, and can have chosen this password: it leads to no other workspace.
      if (!invitation.is_mailed) await tx.query(setOrigin(account.id, invitation.workspace_id))
    }
    if (isProved) await verifyAccount(tx, account.id, { requestId: client.requestId ?? null })
    await joinWorkspace(tx, callerOf(invitation), invitation.member_id, name)
    const how = { method: 'invitation', hasSecondFactor: false } as const
    if (!credentials && session) return { cookie: await renewToken(tx, session.sessionId, deps.access) }
    return { started: await startSession(tx, { ...account, name }, how, client, deps.access) }
  })
}
