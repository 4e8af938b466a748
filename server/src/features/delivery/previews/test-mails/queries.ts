import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'

/**
 * Times at which this member had test mails sent since then, oldest first. Locks the member, so concurrent requests in all
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
  return tx.column<Date>(sql`select sent_at from test_mails where ${ofMember} order by sent_at`)
}

export async function recordTestMail(tx: Db, by: Caller, signatureId: string, now: Date): Promise<void> {
  const insert = sql`
    insert into test_mails (workspace_id, member_id, id, sent_at)
    values (${by.workspaceId}, ${by.memberId}, ${newRow().id}, ${now})
    returning ${signatureId}::uuid as id`
  await tx.query(audited(by, 'signature.test_mailed', insert))
}

/** The stored forms of those addresses that a teammate or a member of the workspace has, by comparison key. */
export async function addressesOfWorkspace(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const sent = rows('k', keys, { key: ['text', key => key] })
  const addresses = await db.query<{ key: string; address: string }>(sql`
    select k.key, coalesce(e.address, m.email) as address from ${sent}
    left join emails e on e.workspace_id = ${workspaceId} and e.address_key = k.key and e.deleted_at is null
    left join members m on m.workspace_id = ${workspaceId} and m.email_key = k.key
    where coalesce(e.address, m.email) is not null`)
  return new Map(addresses.map(({ key, address }) => [key, address]))
}
