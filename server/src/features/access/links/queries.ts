import { type Db, type Sql, sql } from '#kernel/db.ts'

export interface NewLinkToken {
  readonly hash: Buffer
  readonly kind: 'link' | 'reset'
  readonly accountId: string
  readonly browserHash?: Buffer
  readonly returnTo?: string
  readonly expiresAt: Date
  readonly isByOperator?: boolean
  readonly removesSecondFactors?: boolean
}

export const insertLinkToken = (token: NewLinkToken): Sql => sql`
  insert into sign_in_tokens (hash, kind, account_id, browser_hash, return_to, created_at, expires_at, by_operator,
    removes_second_factors)
  values (${token.hash}, ${token.kind}, ${token.accountId}, ${token.browserHash ?? null}, ${token.returnTo ?? null},
    ${new Date()}, ${token.expiresAt}, ${token.isByOperator ?? false}, ${token.removesSecondFactors ?? false})`

export interface SpentLink {
  readonly accountId: string
  readonly returnTo: string | null
}

/** A link by mail: used up only in the browser that asked for it. Of several requests, one gets it. */
export async function spendSignInLink(
  tx: Db,
  hash: Buffer,
  browserHash: Buffer,
): Promise<SpentLink | undefined> {
  const [row] = await tx.query<SpentLink>(sql`
    delete from sign_in_tokens
    where hash = ${hash} and kind = 'link' and browser_hash = ${browserHash} and expires_at > ${new Date()}
    returning account_id as "accountId", return_to as "returnTo"`)
  return row
}

export interface ResetToken {
  readonly accountId: string
  readonly isByOperator: boolean
  readonly removesSecondFactors: boolean
}

const resetShape = sql`account_id as "accountId", by_operator as "isByOperator",
  removes_second_factors as "removesSecondFactors"`

export async function findResetToken(db: Db, hash: Buffer): Promise<ResetToken | undefined> {
  const [row] = await db.query<ResetToken>(sql`
    select ${resetShape} from sign_in_tokens
    where hash = ${hash} and kind = 'reset' and expires_at > ${new Date()}`)
  return row
}

/** Of several requests, one gets it. */
export async function spendResetToken(tx: Db, hash: Buffer): Promise<ResetToken | undefined> {
  const [row] = await tx.query<ResetToken>(sql`
    delete from sign_in_tokens where hash = ${hash} and kind = 'reset' and expires_at > ${new Date()}
    returning ${resetShape}`)
  return row
}

export interface MailCount {
  readonly mails: number
  readonly windowStart: Date
}

/** Counts a mail that was asked for. A window that began before `since` is over: another one begins now. */
export async function countMailRequest(db: Db, key: Buffer, now: Date, since: Date): Promise<MailCount> {
  const [row] = await db.query<MailCount>(sql`
    insert into sign_in_mail_counts as c (key, window_start, mails) values (${key}, ${now}, 1)
    on conflict (key) do update set
      mails = case when c.window_start < ${since} then 1 else c.mails + 1 end,
      window_start = case when c.window_start < ${since} then excluded.window_start else c.window_start end
    returning mails, window_start as "windowStart"`)
  return row ?? { mails: 1, windowStart: now }
}

export const deleteOldMailCounts = (before: Date): Sql =>
  sql`delete from sign_in_mail_counts where window_start < ${before}`
