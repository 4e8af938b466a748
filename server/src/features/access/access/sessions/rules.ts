// Sessions: how they begin, get a new token, and end. Every way to sign in ends in `startSession`.
import {
  type Account,
  findAccount,
  hasOpenInvitation,
  markSeen,
  membershipsOf,
} from '#features/workspace/accounts/index.ts'
import { auditedEach } from '#features/workspace/audit-log/index.ts'
import type { AccountIdentity } from '#kernel/api/auth.ts'
import { operator } from '#kernel/api/scopes.ts'
import { SessionCookie, type SessionCredential, type SessionMembership } from '#kernel/api/session-cookies.ts'
import { minute } from '#kernel/base/durations.ts'
import { ApiError, apiError, orNotFound } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { browserOf } from '../browsers.ts'
import type { AccessDeps, SecondFactor, SignInPolicy, WayIn } from '../deps.ts'
import { isSsoMailAllowed } from '../links/mail-limits.ts'
import { browserHashOf, hashToken, newToken } from '../tokens.ts'
import {
  deleteSession,
  deleteSessionByHash,
  deleteSessionsOf,
  type FoundSession,
  findSession,
  idleEnd,
  insertSession,
  markSessionUsed,
  rememberBrowser,
  replaceToken,
  sessionStartedAt,
  setSessionWorkspace,
} from './queries.ts'

const longestSeconds = 30 * 24 * 3600

/** Data of a request about the browser that has sent it. */
export interface SignInClient {
  readonly address: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly requestId?: string
  /** The id of the browser; the answer sets it for a browser that has none. */
  readonly markBrowser?: () => string
}

/** The person of a session, who changes something of the own account. */
export interface AccountHolder extends Omit<AccountIdentity, 'countedBy'> {
  readonly requestId: string
  readonly client: SignInClient
}

export type SignedInAccount = Pick<Account, 'id' | 'email' | 'name' | 'locale'>

export interface StartedSession {
  readonly sessionId: string
  /** The Set-Cookie header. */
  readonly cookie: string
  /** The second factor is still missing. */
  readonly isPending: boolean
  readonly secondFactors: readonly SecondFactor[]
}

interface AccountEntry {
  readonly action: string
  readonly resourceId: string
  readonly sessionId?: string | null
  readonly requestId?: string | null
  /** At the command line: the entry names no member. */
  readonly isByOperator?: boolean
  /** The workspace whose identity provider signed the person in: the entry concerns no other. */
  readonly ssoWorkspaceId?: string | null
}

/** Writes an entry into the audit log of every workspace of an account. */
export async function auditAccount(tx: Db, accountId: string, entry: AccountEntry): Promise<void> {
  const { action, resourceId, sessionId = null, requestId = null, ssoWorkspaceId = null } = entry
  for (const { workspaceId, memberId } of await membershipsOf(tx, accountId)) {
    if (ssoWorkspaceId !== null && ssoWorkspaceId !== workspaceId) continue
    const actorId = entry.isByOperator ? null : memberId
    const by = { ...operator(workspaceId), actorId, sessionId, requestId }
    await tx.query(auditedEach(by, action, [resourceId]))
  }
}

/** The request whose sign-in is refused. */
type RefusedRequest = Pick<AccountEntry, 'sessionId' | 'requestId' | 'ssoWorkspaceId'>

/** Writes the entry of a way in that was refused, in a transaction of its own: that of the sign-in was rolled back. */
export const auditRefusal = (db: Db, accountId: string, by: RefusedRequest): Promise<void> =>
  db.transaction(tx =>
    auditAccount(tx, accountId, {
      action: 'session.refused',
      resourceId: accountId,
      sessionId: by.sessionId ?? null,
      requestId: by.requestId ?? null,
      ssoWorkspaceId: by.ssoWorkspaceId ?? null,
    }),
  )

/** Runs a sign-in. The audit log gets an entry when the policy of the account's workspaces refuses it. */
export const auditingRefusal = <T>(
  db: Db,
  accountId: string,
  by: RefusedRequest,
  signIn: () => Promise<T>,
): Promise<T> =>
  signIn().catch(async error => {
    if (error instanceof ApiError && error.code === 'sso_required') await auditRefusal(db, accountId, by)
    throw error
  })

type SessionRights = Pick<
  FoundSession,
  'method' | 'ssoWorkspaceId' | 'hasSecondFactor' | 'isVerified' | 'originWorkspaceId'
>

/** Why a session must not act in a workspace; null when it can. */
function refusalIn(
  workspaceId: string,
  { ssoOnlyWorkspaces, secondFactorWorkspaces }: SignInPolicy,
  { method, ssoWorkspaceId, hasSecondFactor, isVerified, originWorkspaceId }: SessionRights,
): SessionMembership['refusal'] {
  // A session of the operator's link is the way in that is left when the identity provider is down.
  if (ssoOnlyWorkspaces.includes(workspaceId) && ssoWorkspaceId !== workspaceId && method !== 'operator')
    return 'sso_required'
  // Members of the workspace that showed the invitation can have chosen the password themselves.
  if (!isVerified && ssoWorkspaceId === null && originWorkspaceId !== workspaceId) return 'unverified_account'
  return secondFactorWorkspaces.includes(workspaceId) && !hasSecondFactor ? 'second_factor_required' : null
}

/** The account can do nothing before it has a second factor: no workspace is open, and one would be with it. */
const needsFirstFactor = (refusals: readonly SessionMembership['refusal'][]): boolean =>
  refusals.includes('second_factor_required') && !refusals.includes(null)

/**
 * Starts a session. The token is always a new one, and the session that the browser had before ends: a cookie that was
 * planted in the browser is worth nothing afterwards.
 */
export async function startSession(
  tx: Db,
  account: SignedInAccount,
  how: WayIn,
  client: SignInClient,
  deps: AccessDeps,
): Promise<StartedSession> {
  const policy = await deps.signInPolicyOf(tx, account.id)
  const { hasSecondFactor, workspaceId: ssoWorkspaceId = null, connectionId: ssoConnectionId = null } = how
  const { isVerified, originWorkspaceId } = orNotFound(await findAccount(tx, account.id))
  const rights = { ...how, ssoWorkspaceId, isVerified, originWorkspaceId }
  const refusals = (await membershipsOf(tx, account.id)).map(({ workspaceId }) =>
    refusalIn(workspaceId, policy, rights),
  )
  // An account all of whose workspaces insist on single sign-on has no use for another way in, unless to accept an
  // invitation.
  const isClosed = refusals.length > 0 && refusals.every(refusal => refusal === 'sso_required')
  if (isClosed && !(await hasOpenInvitation(tx, account.id))) throw apiError('sso_required')
  const secondFactors = await deps.secondFactorsOf(tx, account.id)
  const isPending = !hasSecondFactor && secondFactors.length > 0
  const cookie = new SessionCookie(deps.publicUrl)
  await endSessionBefore(tx, cookie, client)
  const { token, hash: tokenHash } = newToken()
  const { id, now } = newRow()
  await tx.query(
    insertSession({
      id,
      accountId: account.id,
      hash: tokenHash,
      method: how.method,
      ssoWorkspaceId,
      ssoConnectionId,
      isPending,
      hasSecondFactor,
      browser: browserOf(client.userAgent),
      network: networkOf(client.address),
      now,
      expiresAt: new Date(now.getTime() + longestSeconds * 1_000),
    }),
  )
  if (isPending) await auditPending(tx, account.id, { sessionId: id, ssoWorkspaceId }, client)
  else await announceSignIn(tx, account, { sessionId: id, ssoWorkspaceId }, client, deps)
  return {
    sessionId: id,
    cookie: cookie.set(token, longestSeconds),
    isPending: isPending || needsFirstFactor(refusals),
    secondFactors,
  }
}

/** Ends the session that the browser has had. */
async function endSessionBefore(tx: Db, cookie: SessionCookie, client: SignInClient): Promise<void> {
  const token = cookie.tokenIn(client.headers.cookie as string | undefined)
  const ended = token === undefined ? undefined : await deleteSessionByHash(tx, hashToken(token))
  if (!ended) return
  const { sessionId, accountId, ssoWorkspaceId } = ended
  const requestId = client.requestId ?? null
  await auditAccount(tx, accountId, {
    action: 'session.ended',
    resourceId: sessionId,
    sessionId,
    requestId,
    ssoWorkspaceId,
  })
}

/** A right password whose second factor never comes is a sign that the password is known to a stranger. */
const auditPending = (
  tx: Db,
  accountId: string,
  session: { readonly sessionId: string; readonly ssoWorkspaceId: string | null },
  { requestId = null }: { readonly requestId?: string | null },
): Promise<void> =>
  auditAccount(tx, accountId, {
    action: 'session.pending',
    resourceId: session.sessionId,
    ...session,
    requestId,
  })

/** Writes the audit log, and mails the person when the account has not used this browser before. */
async function announceSignIn(
  tx: Db,
  account: SignedInAccount,
  session: { readonly sessionId: string; readonly ssoWorkspaceId: string | null },
  client: SignInClient,
  deps: AccessDeps,
): Promise<void> {
  const requestId = client.requestId ?? null
  await auditAccount(tx, account.id, {
    action: 'session.started',
    resourceId: session.sessionId,
    ...session,
    requestId,
  })
  const [membership, ...others] = await membershipsOf(tx, account.id)
  // A person with several workspaces is seen in the one that the session chooses.
  const workspaceId = session.ssoWorkspaceId ?? (others.length === 0 ? membership?.workspaceId : undefined)
  if (workspaceId !== undefined) await tx.query(markSeen(workspaceId, account.id, new Date()))
  const browser = browserOf(client.userAgent)
  const network = networkOf(client.address)
  const isOwnSignIn = session.ssoWorkspaceId === null
  const { isNew, isFirst } = await rememberBrowser(tx, account.id, browserHashOf(client), isOwnSignIn)
  if (!isNew || isFirst || !deps.sendsMail) return
  const { ssoWorkspaceId } = session
  // Its admins can sign the person in as often as they want.
  if (ssoWorkspaceId !== null && !(await isSsoMailAllowed(tx, account.id))) return
  await deps.enqueueAccountMail(tx, 'new_sign_in', {
    to: account.email,
    name: account.name,
    locale: account.locale,
    workspaceId: ssoWorkspaceId,
    data: { at: new Date(), browser, network, isBySso: ssoWorkspaceId !== null },
  })
}

/**
 * Gives a session a new token, after a change of password, factor or rights. Returns the Set-Cookie header. With
 * `secondFactor`, a pending session becomes a full one.
 */
export async function renewSession(
  tx: Db,
  session: { readonly sessionId: string; readonly account: SignedInAccount },
  client: SignInClient,
  deps: AccessDeps,
  secondFactor: 'given' | 'unchanged' = 'unchanged',
): Promise<string> {
  const { token, hash: tokenHash } = newToken()
  const { sessionId, account } = session
  const isGiven = secondFactor === 'given'
  const renewed = orNotFound(await replaceToken(tx, sessionId, tokenHash, isGiven))
  // A session that only the policy of a workspace has held up was announced when it began.
  if (isGiven && renewed.was_pending)
    await announceSignIn(tx, account, { sessionId, ssoWorkspaceId: renewed.sso_workspace_id }, client, deps)
  const seconds = Math.max(1, Math.floor((renewed.expires_at.getTime() - Date.now()) / 1_000))
  return new SessionCookie(deps.publicUrl).set(token, seconds)
}

/** The request that ends sessions; one of single sign-on ends only those of its workspace. */
type SessionEnder = Pick<AccountEntry, 'sessionId' | 'requestId' | 'isByOperator' | 'ssoWorkspaceId'>

/** False when the account has no such session. */
export async function endSession(
  tx: Db,
  accountId: string,
  sessionId: string,
  by: SessionEnder = {},
): Promise<boolean> {
  const [ended] = await deleteSession(tx, accountId, sessionId, by.ssoWorkspaceId ?? null)
  if (ended) await auditAccount(tx, accountId, { action: 'session.ended', resourceId: sessionId, ...by })
  return ended !== undefined
}

/** Ends all sessions of an account; all but one with `exceptSessionId`. */
export async function endSessionsOf(
  tx: Db,
  accountId: string,
  exceptSessionId: string | null = null,
  by: SessionEnder = {},
): Promise<number> {
  const ended = await deleteSessionsOf(tx, accountId, exceptSessionId, by.ssoWorkspaceId ?? null)
  for (const { id } of ended)
    await auditAccount(tx, accountId, { action: 'session.ended', resourceId: id, ...by })
  return ended.length
}

/** Without a request for this long, the time of use is stored again. */
const storedMilliseconds = minute

/** For the authenticator. Also stores the time of use, at most once a minute, without delaying the request. */
export async function findSessionCredential(
  db: Db,
  tokenHash: Buffer,
  { signInPolicyOf }: Pick<AccessDeps, 'signInPolicyOf'>,
): Promise<SessionCredential | null> {
  const session = await findSession(db, tokenHash)
  if (!session) return null
  const { isVerified: _, originWorkspaceId: __, hasSecondFactor: ___, method: ____, ...rest } = session
  const { lastUsedAt, members, ...credential } = rest
  const policy = await signInPolicyOf(db, session.accountId)
  const now = new Date()
  const idleAt = idleEnd(lastUsedAt)
  const isAlive = session.expiresAt > now && idleAt > now
  if (isAlive && now.getTime() - lastUsedAt.getTime() > storedMilliseconds) {
    const workspaceId = session.lastWorkspaceId ?? members[0]?.workspaceId
    // Failing to store the time of use must not fail the request.
    db.query(markSessionUsed(session.sessionId, now)).catch(() => undefined)
    if (workspaceId) db.query(markSeen(workspaceId, session.accountId, now)).catch(() => undefined)
  }
  const memberships = members.map(member => ({
    ...member,
    refusal: refusalIn(member.workspaceId, policy, session),
  }))
  return {
    ...credential,
    isPending: session.isPending || needsFirstFactor(memberships.map(({ refusal }) => refusal)),
    expiresAt: session.expiresAt < idleAt ? session.expiresAt : idleAt,
    memberships,
  }
}

/** Stores the workspace that a session has chosen: the next request without a choice acts there. */
export async function rememberWorkspace(
  db: Db,
  { sessionId, accountId }: Pick<SessionCredential, 'sessionId' | 'accountId'>,
  workspaceId: string,
): Promise<void> {
  await db.query(setSessionWorkspace(sessionId, workspaceId))
  await db.query(markSeen(workspaceId, accountId, new Date()))
}

/** An open browser alone must not suffice to take an account over: what could, needs a sign-in that is not older. */
const recentMilliseconds = 15 * minute

export async function checkRecentSignIn(tx: Db, sessionId: string): Promise<void> {
  const startedAt = await sessionStartedAt(tx, sessionId)
  if (!startedAt) throw apiError('session_expired')
  if (Date.now() - startedAt.getTime() > recentMilliseconds) throw apiError('recent_sign_in_required')
}
