import { type Db, type Sql, sql } from '#kernel/db/db.ts'

/** A link that signs in, whatever became of it. */
export interface StoredSignInLink {
  readonly accountId: string
  readonly returnTo: string | null
  /** Made at the command line, for whichever browser opens it first. */
  readonly isByOperator: boolean
  readonly isUsed: boolean
}

const linkShape = sql`account_id as "accountId", return_to as "returnTo", by_operator as "isByOperator"`

/** A link by mail is used up only in the browser that asked for it. Of several requests, one gets it. */
export async function spendSignInLink(
  tx: Db,
  hash: Buffer,
  browserHash: Buffer,
): Promise<Omit<StoredSignInLink, 'isUsed'> | undefined> {
  const now = new Date()
  return tx.first<StoredSignInLink>(sql`
    update sign_in_tokens set used_at = ${now}
    where hash = ${hash} and kind = 'link' and (browser_hash = ${browserHash} or by_operator) and used_at is null
      and expires_at > ${now}
    returning ${linkShape}`)
}

/** Undefined for a link that was never made, or was deleted after it has expired. */
export const findSignInLink = (db: Db, hash: Buffer) =>
  db.first<StoredSignInLink>(sql`
    select ${linkShape}, used_at is not null or expires_at <= ${new Date()} as "isUsed" from sign_in_tokens
    where hash = ${hash} and kind = 'link'`)

/** Counts a mail that was asked for. A window that began before `since` is over: another one begins now. */
export async function countMailRequest(db: Db, key: Buffer, now: Date, since: Date): Promise<number> {
  const mails = await db.value<number>(sql`
    insert into sign_in_mail_counts as c (key, window_start, mails) values (${key}, ${now}, 1)
    on conflict (key) do update set
      mails = case when c.window_start < ${since} then 1 else c.mails + 1 end,
      window_start = case when c.window_start < ${since} then excluded.window_start else c.window_start end
    returning mails`)
  return mails ?? 1
}

export const deleteOldMailCounts = (before: Date): Sql =>
  sql`delete from sign_in_mail_counts where window_start < ${before}`
