// Sessions after a change of rights: the browser that made the change gets a new token; sessions of other people end.
import { membershipsOf } from '#features/workspace/accounts/index.ts'
import { auditedEach } from '#features/workspace/audit-log/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { SessionCookie } from '#kernel/api/session-cookies.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { AccessDeps } from '../deps.ts'
import { newToken } from '../tokens.ts'
import { deleteSessionsOf, replaceToken } from './queries.ts'

/** Gives a session a new token after its rights have changed. Returns the Set-Cookie header. */
export async function renewToken(
  tx: Db,
  sessionId: string,
  { publicUrl }: Pick<AccessDeps, 'publicUrl'>,
): Promise<string> {
  const { token, hash } = newToken()
  const { expires_at } = orNotFound(await replaceToken(tx, sessionId, hash, false))
  const seconds = Math.max(1, Math.floor((expires_at.getTime() - Date.now()) / 1_000))
  return new SessionCookie(publicUrl).set(token, seconds)
}

/**
 * Ends the sessions of a member on behalf of another one: those that single sign-on of the workspace began, or all of
 * the account. Other workspaces of the account do not learn who did it.
 */
export async function endSessionsOfMember(
  tx: Db,
  by: Caller,
  accountId: string,
  reach: 'workspace' | 'account',
): Promise<void> {
  const ended = await deleteSessionsOf(tx, accountId, null, reach === 'workspace' ? by.workspaceId : null)
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await tx.query(auditedEach(by, 'session.ended', ids))
  if (reach === 'workspace') return
  for (const { workspaceId } of await membershipsOf(tx, accountId))
    if (workspaceId !== by.workspaceId)
      await tx.query(auditedEach({ ...operator(workspaceId), requestId: by.requestId }, 'session.ended', ids))
}
