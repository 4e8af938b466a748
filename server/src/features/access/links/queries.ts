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

/** Counts a mail that was asked for, and returns how many there were in this window. */
export async function countMailRequest(db: Db, key: Buffer, windowStart: Date): Promise<number> {
  const [row] = await db.query<{ mails: number }>(sql`
    insert into sign_in_mail_counts (key, window_start, mails) values (${key}, ${windowStart}, 1)
    on conflict (key, window_start) do update set mails = sign_in_mail_counts.mails + 1
    returning mails`)
  return row?.mails ?? 1
}

export const deleteOldMailCounts = (before: Date): Sql =>
  sql`delete from sign_in_mail_counts where window_start < ${before}`
