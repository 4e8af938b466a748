import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from recovery_codes where account_id = ${accountId}`,
  )
  return row?.count ?? 0
}

export async function insertRecoveryCodes(
  tx: Db,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(sql`
    insert into recovery_codes (account_id, hash, created_at)
    select ${accountId}, code.hash, ${new Date()}
    from ${rows('code', hashes, { hash: ['bytea', hash => hash] })}`)
}

/** False when there is no such code, or another request has used it: of two at once, one gets the row. */
export async function spendRecoveryCode(tx: Db, accountId: string, hash: Buffer): Promise<boolean> {
  const spent = await tx.query(
    sql`delete from recovery_codes where account_id = ${accountId} and hash = ${hash} returning hash`,
  )
  return spent.length > 0
}

export async function deleteRecoveryCodes(tx: Db, accountId: string): Promise<void> {
  await tx.query(sql`delete from recovery_codes where account_id = ${accountId}`)
}
