import { audited } from '#features/audit-log/index.ts'
import { type Db, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import type { Caller } from '#kernel/scopes.ts'

/**
 * When this member had test mails sent since then, oldest first. Locks the member, so concurrent requests in all
 * processes count one after the other.
 */
export async function countRecentTestMails(
  tx: Db,
  { workspaceId, memberId }: Caller,
  since: Date,
): Promise<readonly Date[]> {
  await tx.query(
    sql`select from members where workspace_id = ${workspaceId} and id = ${memberId} for no key update`,
  )
  const ofMember = sql`workspace_id = ${workspaceId} and member_id = ${memberId}`
  await tx.query(sql`delete from test_mails where ${ofMember} and sent_at <= ${since}`)
  const rows = await tx.query<{ sent_at: Date }>(
    sql`select sent_at from test_mails where ${ofMember} order by sent_at`,
  )
  return rows.map(row => row.sent_at)
}

export async function recordTestMail(tx: Db, by: Caller, signatureId: string, now: Date): Promise<void> {
  const insert = sql`
    insert into test_mails (workspace_id, member_id, id, sent_at)
    values (${by.workspaceId}, ${by.memberId}, ${newRow().id}, ${now})
    returning ${signatureId}::uuid as id`
  await tx.query(audited(by, 'signature.test_mailed', insert))
}
