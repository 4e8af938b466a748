import { auditedEach } from '#features/audit-log/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import { deleteSsoSessions } from './queries.ts'

/** Ends the sessions of all members that began by single sign-on of the caller's workspace. */
export async function endSsoSessions(tx: Db, by: Caller, method: 'oidc' | 'saml'): Promise<void> {
  const ended = await deleteSsoSessions(tx, by.workspaceId, method)
  const ids = ended.map(({ id }) => id)
  if (ids.length > 0) await tx.query(auditedEach(by, 'session.ended', ids))
}
