import { auditedEach } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { AccessDeps } from '../deps.ts'
import { hashToken } from '../tokens.ts'
import { deleteSsoSessions, findSession, idleEnd, isTrustedWithOwner } from './queries.ts'
import type { SignInClient } from './rules.ts'

/** Ends the sessions of all members that began by single sign-on of the caller's workspace. */
export async function endSsoSessions(tx: Db, by: Caller, method: 'oidc' | 'saml'): Promise<void> {
  const ended = await deleteSsoSessions(tx, by.workspaceId, method)
  const ids = ended.map(({ id }) => id)
  if (ids.length > 0) await tx.query(auditedEach(by, 'session.ended', ids))
}

/** The address of another account that this browser is signed in as; null when there is none. */
export async function otherAccountIn(
  tx: Db,
  { headers }: SignInClient,
  accountId: string,
  { publicUrl }: Pick<AccessDeps, 'publicUrl'>,
): Promise<string | null> {
  const token = new SessionCookie(publicUrl).tokenIn(headers.cookie as string | undefined)
  const session = token === undefined ? undefined : await findSession(tx, hashToken(token))
  if (!session || session.accountId === accountId) return null
  const now = new Date()
  return session.expiresAt > now && idleEnd(session.lastUsedAt) > now ? session.email : null
}

/**
 * A provider can name the owner. What decides about the workspace and the ways into it needs a session of a way of the
 * owner's own, or one of a connection that is still trusted with the owner.
 */
export async function checkActsForOwner(tx: Db, { role, sessionId }: Caller): Promise<void> {
  if (role !== 'owner' || sessionId === null) return
  if (!(await isTrustedWithOwner(tx, sessionId)))
    throw apiError('own_sign_in_required', {
      message:
        'This session began by single sign-on through a connection that is not trusted with the owner. Sign in by a way of your own to do this.',
    })
}
