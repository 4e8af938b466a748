// Sessions: how they begin, get a new token, and end. Every way to sign in ends in `startSession`.
import { type Account, markSeen, membershipsOf } from '#features/accounts/index.ts'
import { auditedEach } from '#features/audit-log/index.ts'
import { networkOf } from '#kernel/client-network.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, orNotFound } from '#kernel/errors.ts'
import { newRow } from '#kernel/ids.ts'
import { operator } from '#kernel/scopes.ts'
import { SessionCookie, type SessionCredential } from '#kernel/session-cookies.ts'
import { browserOf } from '../browsers.ts'
import type { AccessDeps, SecondFactor, SignInPolicy, WayIn } from '../deps.ts'
import { hashToken, newToken } from '../tokens.ts'
import {
  deleteSession,
  deleteSessionByHash,
  deleteSessionsOf,
  findSession,
  idleEnd,
  insertSession,
  markSessionUsed,
  rememberBrowser,
  replaceToken,
} from './queries.ts'

const longestSeconds = 30 * 24 * 3600

/** What a request says about the browser that has sent it. */
export interface SignInClient {
  readonly address: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly requestId?: string
  /** Of the cookie that marks the browser. */
  readonly browserId?: string
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
}

/** Writes an entry into the audit log of every workspace of an account. */
export async function auditAccount(tx: Db, accountId: string, entry: AccountEntry): Promise<void> {
  const { action, resourceId, sessionId = null, requestId = null, isByOperator = false } = entry
  for (const { workspaceId, memberId } of await membershipsOf(tx, accountId)) {
    const by = { ...operator(workspaceId), actorId: isByOperator ? null : memberId, sessionId, requestId }
    await tx.query(auditedEach(by, action, [resourceId]))
  }
}

const isSso = ({ method }: WayIn): boolean => method === 'oidc' || method === 'saml'

/** An account all of whose workspaces insist on single sign-on has no use for another way in. */
async function checkPolicy(
  tx: Db,
  accountId: string,
  how: WayIn,
  { ssoOnlyWorkspaces }: SignInPolicy,
): Promise<void> {
  if (isSso(how) || how.method === 'operator' || ssoOnlyWorkspaces.length === 0) return
  const memberships = await membershipsOf(tx, accountId)
  if (
    memberships.length > 0 &&
    memberships.every(({ workspaceId }) => ssoOnlyWorkspaces.includes(workspaceId))
  )
    throw apiError('sso_required')
}

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
  await checkPolicy(tx, account.id, how, policy)
  const secondFactors = await deps.secondFactorsOf(tx, account.id)
  const isPending = !how.hasSecondFactor && (secondFactors.length > 0 || policy.requiresSecondFactor)
  const cookie = new SessionCookie(deps.publicUrl)
  const before = cookie.tokenIn(client.headers.cookie as string | undefined)
  if (before !== undefined) await tx.query(deleteSessionByHash(hashToken(before)))
  const { token, hash: tokenHash } = newToken()
  const { id, now } = newRow()
  await tx.query(
    insertSession({
      id,
      accountId: account.id,
      hash: tokenHash,
      method: how.method,
      ssoWorkspaceId: how.workspaceId ?? null,
      isPending,
      hasSecondFactor: how.hasSecondFactor,
      browser: browserOf(client.userAgent),
      network: networkOf(client.address),
      now,
      expiresAt: new Date(now.getTime() + longestSeconds * 1_000),
    }),
  )
  if (!isPending) await announceSignIn(tx, account, id, client, deps)
  return { sessionId: id, cookie: cookie.set(token, longestSeconds), isPending, secondFactors }
}

/** Writes the audit log, and mails the person when the account has not used this browser before. */
async function announceSignIn(
  tx: Db,
  account: SignedInAccount,
  sessionId: string,
  client: SignInClient,
  deps: AccessDeps,
): Promise<void> {
  const requestId = client.requestId ?? null
  await auditAccount(tx, account.id, {
    action: 'session.started',
    resourceId: sessionId,
    sessionId,
    requestId,
  })
  const browser = browserOf(client.userAgent)
  const network = networkOf(client.address)
  const { isNew, isFirst } = await rememberBrowser(tx, account.id, hashToken(client.browserId ?? ''))
  if (!isNew || isFirst || !deps.sendsMail) return
  await deps.enqueueAccountMail(tx, 'new_sign_in', {
    to: account.email,
    name: account.name,
    locale: account.locale,
    workspaceId: null,
    data: { at: new Date(), browser, network },
  })
}

/**
 * Gives a session a new token, after a change of password, factor or rights. Returns the Set-Cookie header. With
 * `secondFactor`, a pending session becomes a full one.
 */
export async function renewSession(
  tx: Db,
  session: { readonly sessionId: string; readonly account: SignedInAccount; readonly isPending: boolean },
  client: SignInClient,
  deps: AccessDeps,
  secondFactor: 'given' | 'unchanged' = 'unchanged',
): Promise<string> {
  const { token, hash: tokenHash } = newToken()
  const isGiven = secondFactor === 'given'
  const { expires_at } = orNotFound(await replaceToken(tx, session.sessionId, tokenHash, isGiven))
  if (isGiven && session.isPending) await announceSignIn(tx, session.account, session.sessionId, client, deps)
  const seconds = Math.max(1, Math.floor((expires_at.getTime() - Date.now()) / 1_000))
  return new SessionCookie(deps.publicUrl).set(token, seconds)
}

/** False when the account has no such session. */
export async function endSession(
  tx: Db,
  accountId: string,
  sessionId: string,
  by: Pick<AccountEntry, 'sessionId' | 'requestId' | 'isByOperator'> = {},
): Promise<boolean> {
  const [ended] = await deleteSession(tx, accountId, sessionId)
  if (ended) await auditAccount(tx, accountId, { action: 'session.ended', resourceId: sessionId, ...by })
  return ended !== undefined
}

/** Ends all sessions of an account; all but one with `exceptSessionId`. */
export async function endSessionsOf(
  tx: Db,
  accountId: string,
  exceptSessionId: string | null = null,
  by: Pick<AccountEntry, 'sessionId' | 'requestId' | 'isByOperator'> = {},
): Promise<number> {
  const ended = await deleteSessionsOf(tx, accountId, exceptSessionId)
  for (const { id } of ended)
    await auditAccount(tx, accountId, { action: 'session.ended', resourceId: id, ...by })
  return ended.length
}

/** Without a request for this long, the time of use is stored again. */
const storedMilliseconds = 60_000

/** For the authenticator. Also stores the time of use, at most once a minute, without delaying the request. */
export async function findSessionCredential(
  db: Db,
  tokenHash: Buffer,
  { signInPolicyOf }: Pick<AccessDeps, 'signInPolicyOf'>,
): Promise<SessionCredential | null> {
  const session = await findSession(db, tokenHash)
  if (!session) return null
  const { ssoOnlyWorkspaces, requiresSecondFactor } = await signInPolicyOf(db, session.account_id)
  const now = new Date()
  const idleAt = idleEnd(session.last_used_at)
  const isAlive = session.expires_at > now && idleAt > now
  if (isAlive && now.getTime() - session.last_used_at.getTime() > storedMilliseconds) {
    const workspaceId = session.workspace_id ?? session.members[0]?.workspace_id
    // Failing to store the time of use must not fail the request.
    db.query(markSessionUsed(session.id, now)).catch(() => undefined)
    if (workspaceId) db.query(markSeen(workspaceId, session.account_id, now)).catch(() => undefined)
  }
  const needsSso = (workspaceId: string): boolean =>
    ssoOnlyWorkspaces.includes(workspaceId) &&
    session.sso_workspace_id !== workspaceId &&
    // The way in that is left when the identity provider is down.
    session.method !== 'operator'
  return {
    sessionId: session.id,
    accountId: session.account_id,
    email: session.email,
    name: session.name,
    isPending: session.pending || (requiresSecondFactor && !session.has_second_factor),
    expiresAt: session.expires_at < idleAt ? session.expires_at : idleAt,
    memberships: session.members.map(({ workspace_id, id, role, email }) => ({
      workspaceId: workspace_id,
      memberId: id,
      role,
      email,
      refusal: needsSso(workspace_id) ? ('sso_required' as const) : null,
    })),
    lastWorkspaceId: session.workspace_id,
  }
}
