import { type Db, join, type Sql, sql } from '#kernel/db.ts'

export interface TokenRow {
  readonly hash: Buffer
  readonly kind: 'setup' | 'link' | 'reset'
  readonly accountId: string | null
  readonly workspaceId?: string | null
  readonly browserHash?: Buffer | null
  readonly returnTo?: string | null
  readonly expiresAt: Date
}

export const insertToken = (token: TokenRow): Sql => sql`
  insert into sign_in_tokens (hash, kind, account_id, workspace_id, browser_hash, return_to, created_at, expires_at)
  values (${token.hash}, ${token.kind}, ${token.accountId}, ${token.workspaceId ?? null}, ${token.browserHash ?? null},
    ${token.returnTo ?? null}, ${new Date()}, ${token.expiresAt})`

export interface StoredToken {
  readonly accountId: string | null
  readonly workspaceId: string | null
  readonly browserHash: Buffer | null
  readonly returnTo: string | null
}

const tokenShape = sql`account_id as "accountId", workspace_id as "workspaceId", browser_hash as "browserHash",
  return_to as "returnTo"`

/** Undefined when the token was used, or has expired. */
export async function findToken(
  db: Db,
  kind: TokenRow['kind'],
  hash: Buffer,
): Promise<StoredToken | undefined> {
  const [token] = await db.query<StoredToken>(sql`
    select ${tokenShape} from sign_in_tokens where hash = ${hash} and kind = ${kind} and expires_at > ${new Date()}`)
  return token
}

/** Like `findToken`, and removes it: of several transactions, one gets it. */
export async function takeToken(
  tx: Db,
  kind: TokenRow['kind'],
  hash: Buffer,
): Promise<StoredToken | undefined> {
  const [token] = await tx.query<StoredToken>(sql`
    delete from sign_in_tokens where hash = ${hash} and kind = ${kind} and expires_at > ${new Date()}
    returning ${tokenShape}`)
  return token
}

export const deleteTokensOf = (accountId: string, kind: TokenRow['kind']): Sql =>
  sql`delete from sign_in_tokens where account_id = ${accountId} and kind = ${kind}`

interface FailureCount {
  readonly key: Buffer
  readonly window_start: Date
  readonly failures: number
}

/** Counts one attempt for each key. The keys are sorted, so that transactions lock the rows in the same order. */
export const addFailures = (keys: readonly Buffer[], windowStart: Date): Sql => sql`
  insert into sign_in_failures (key, window_start, failures)
  select key, ${windowStart}::timestamptz, 1 from unnest(array[${join(keys)}]::bytea[]) as key order by key
  on conflict (key, window_start) do update set failures = sign_in_failures.failures + 1`

export const failuresSince = (db: Db, keys: readonly Buffer[], since: Date): Promise<FailureCount[]> =>
  db.query(sql`
    select key, window_start, failures from sign_in_failures
    where key in (${join(keys)}) and window_start > ${since} order by window_start`)

export const deleteFailures = (key: Buffer): Sql => sql`delete from sign_in_failures where key = ${key}`

/** Takes back one attempt of the last window with attempts. */
export const removeFailure = (key: Buffer): Sql => sql`
  update sign_in_failures set failures = failures - 1
  where key = ${key} and failures > 0 and window_start = (
    select max(window_start) from sign_in_failures where key = ${key} and failures > 0)`

export const deleteOldAttempts = (now: Date): readonly Sql[] => [
  sql`delete from sign_in_failures where window_start < ${new Date(now.getTime() - 3_600_000)}`,
  sql`delete from sign_in_tokens where expires_at < ${now}`,
]
