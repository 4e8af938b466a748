import { type Db, sql } from '#kernel/db.ts'

export interface NewLinkToken {
  readonly hash: Buffer
  readonly kind: 'link' | 'reset'
  readonly accountId: string
  readonly browserHash: Buffer | null
  readonly returnTo: string | null
  readonly expiresAt: Date
  readonly isByOperator: boolean
  readonly removesSecondFactors: boolean
}

export async function insertLinkToken(tx: Db, token: NewLinkToken): Promise<void> {
  await tx.query(sql`
    insert into sign_in_tokens (hash, kind, account_id, browser_hash, return_to, created_at, expires_at, by_operator,
      removes_second_factors)
    values (${token.hash}, ${token.kind}, ${token.accountId}, ${token.browserHash}, ${token.returnTo}, ${new Date()},
      ${token.expiresAt}, ${token.isByOperator}, ${token.removesSecondFactors})`)
}

/** A link by mail: used up only in the browser that asked for it. */
export async function spendSignInLink(
  tx: Db,
  hash: Buffer,
  browserHash: Buffer,
): Promise<{ readonly accountId: string; readonly returnTo: string | null } | undefined> {
  const [row] = await tx.query<{ accountId: string; returnTo: string | null }>(sql`
    delete from sign_in_tokens
    where hash = ${hash} and kind = 'link' and browser_hash = ${browserHash} and expires_at > ${new Date()}
    returning account_id as "accountId", return_to as "returnTo"`)
  return row
}

/** Whether a link would work, in the browser that asked for it. */
export async function isSignInLinkValid(db: Db, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`select from sign_in_tokens where hash = ${hash} and kind = 'link' and expires_at > ${new Date()}`,
  )
  return rows.length > 0
}

export interface ResetToken {
  readonly accountId: string
  readonly isByOperator: boolean
  readonly removesSecondFactors: boolean
}

export async function spendResetToken(tx: Db, hash: Buffer): Promise<ResetToken | undefined> {
  const [row] = await tx.query<ResetToken>(sql`
    delete from sign_in_tokens where hash = ${hash} and kind = 'reset' and expires_at > ${new Date()}
    returning account_id as "accountId", by_operator as "isByOperator",
      removes_second_factors as "removesSecondFactors"`)
  return row
}

/** After a new password, older links of the account must not work. */
export async function deleteLinkTokensOf(tx: Db, accountId: string): Promise<void> {
  await tx.query(
    sql`delete from sign_in_tokens where account_id = ${accountId} and kind in ('link', 'reset')`,
  )
}

/** Counts a mail that was asked for, and returns how many there were in this window. */
export async function countMailRequest(db: Db, key: Buffer, windowStart: Date): Promise<number> {
  const [row] = await db.query<{ mails: number }>(sql`
    insert into sign_in_mail_counts (key, window_start, mails) values (${key}, ${windowStart}, 1)
    on conflict (key, window_start) do update set mails = sign_in_mail_counts.mails + 1
    returning mails`)
  return row?.mails ?? 1
}

export const deleteOldMailCounts = (before: Date) =>
  sql`delete from sign_in_mail_counts where window_start < ${before}`

/** Whether the account signs in from this browser for the first time. */
export async function rememberBrowser(tx: Db, accountId: string, hash: Buffer): Promise<boolean> {
  const [row] = await tx.query<{ isNew: boolean }>(sql`
    insert into known_browsers (account_id, hash, last_used_at) values (${accountId}, ${hash}, ${new Date()})
    on conflict (account_id, hash) do update set last_used_at = excluded.last_used_at
    returning xmax = 0 as "isNew"`)
  return row?.isNew ?? false
}

/** Browsers forget the cookie after a year. */
export const deleteOldBrowsers = (before: Date) =>
  sql`delete from known_browsers where last_used_at < ${before}`
