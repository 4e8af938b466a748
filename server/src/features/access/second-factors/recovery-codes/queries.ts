import { type Db, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'

export const countRecoveryCodes = (db: Db, accountId: string) =>
  db.number(sql`select count(*)::int as count from recovery_codes where account_id = ${accountId}`)

export const insertRecoveryCodes = (tx: Db, accountId: string, hashes: readonly Buffer[]) =>
  tx.query(sql`
    insert into recovery_codes (account_id, hash, created_at)
    select ${accountId}, code.hash, ${new Date()}
    from ${rows('code', hashes, { hash: ['bytea', hash => hash] })}`)

/** False when there is no such code, or another request has used it: of two at once, one gets the row. */
export const spendRecoveryCode = (tx: Db, accountId: string, hash: Buffer) =>
  tx.hasRows(
    sql`delete from recovery_codes where account_id = ${accountId} and hash = ${hash} returning hash`,
  )

export const deleteRecoveryCodes = (tx: Db, accountId: string) =>
  tx.query(sql`delete from recovery_codes where account_id = ${accountId}`)
