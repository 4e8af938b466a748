import { hour } from '#kernel/base/durations.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'

export interface TokenRow {
  readonly hash: Buffer
  readonly kind: 'setup' | 'link' | 'reset'
  readonly accountId: string
  readonly browserHash?: Buffer
  readonly returnTo?: string
  readonly expiresAt: Date
  readonly isByOperator?: boolean
  readonly removesSecondFactors?: boolean
}

export const insertToken = (token: TokenRow): Sql => sql`
  insert into sign_in_tokens (hash, kind, account_id, browser_hash, return_to, created_at, expires_at, by_operator,
    removes_second_factors)
  values (${token.hash}, ${token.kind}, ${token.accountId}, ${token.browserHash ?? null}, ${token.returnTo ?? null},
    ${new Date()}, ${token.expiresAt}, ${token.isByOperator ?? false}, ${token.removesSecondFactors ?? false})`

export interface StoredToken {
  readonly accountId: string
  readonly isByOperator: boolean
  readonly removesSecondFactors: boolean
}

const tokenShape = sql`account_id as "accountId", by_operator as "isByOperator",
  removes_second_factors as "removesSecondFactors"`

/** A link by mail: only the browser that asked for it can use it. */
type PlainKind = Exclude<TokenRow['kind'], 'link'>

/** Undefined when the token was used, or has expired. */
export const findToken = (db: Db, kind: PlainKind, hash: Buffer) =>
  db.first<StoredToken>(sql`
    select ${tokenShape} from sign_in_tokens where hash = ${hash} and kind = ${kind} and expires_at > ${new Date()}`)

/** Like `findToken`, and removes it: of several transactions, one gets it. */
export const takeToken = (tx: Db, kind: PlainKind, hash: Buffer) =>
  tx.first<StoredToken>(sql`
    delete from sign_in_tokens where hash = ${hash} and kind = ${kind} and expires_at > ${new Date()}
    returning ${tokenShape}`)

export const deleteTokensOf = (accountId: string, kind: TokenRow['kind']): Sql =>
  sql`delete from sign_in_tokens where account_id = ${accountId} and kind = ${kind}`

/** Links by mail that an intruder has asked for must not outlive a new password, or a sign-out everywhere. */
export async function deleteLinksOf(tx: Db, accountId: string): Promise<void> {
  for (const kind of ['link', 'reset'] as const) await tx.query(deleteTokensOf(accountId, kind))
}

/** Attempts for one key are counted one after the other, until the end of the transaction. */
export const lockAttempts = (key: Buffer): Sql =>
  sql`select pg_advisory_xact_lock(${namedLock(locks.signInAttempts, key.toString('hex'))})`

export const insertFailure = (key: Buffer, id: string, failedAt: Date): Sql =>
  sql`insert into sign_in_failures (key, id, failed_at) values (${key}, ${id}, ${failedAt})`

/** The newest first. */
export const failuresSince = (db: Db, key: Buffer, since: Date) =>
  db.query<{ readonly failed_at: Date }>(sql`
    select failed_at from sign_in_failures where key = ${key} and failed_at > ${since} order by failed_at desc`)

export const deleteFailures = (key: Buffer): Sql => sql`delete from sign_in_failures where key = ${key}`

export const deleteFailure = (key: Buffer, id: string): Sql =>
  sql`delete from sign_in_failures where key = ${key} and id = ${id}`

export const deleteOldAttempts = (now: Date): readonly Sql[] => [
  sql`delete from sign_in_failures where failed_at < ${new Date(now.getTime() - hour)}`,
  sql`delete from sign_in_tokens where expires_at < ${now}`,
]
