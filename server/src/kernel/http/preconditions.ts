// Retries that must not do the work twice (Idempotency-Key), and writes that must not overwrite another write
// (If-Match).
import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, isOfAccount, isOfWorkspace, isWrite, type Route } from '#kernel/api/routes.ts'
import { day, minute } from '#kernel/base/durations.ts'
import { ApiError, apiError, invalid } from '#kernel/base/errors.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'

/**
 * Not the sign-in of people (`/auth`): a stored answer is made in a transaction, whose rollback would undo the count of
 * wrong passwords.
 */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method === 'POST' &&
  isWrite(route) &&
  (isOfWorkspace(route.access) || (isOfAccount(route.access) && route.path.startsWith('/v1/')))

/** True if If-Match has an effect. Few routes of people have a GET with a version, so they name it. */
export const comparesVersions = ({ method, versionAt, access }: Route): boolean =>
  versionAt === undefined
    ? isOfWorkspace(access) && (method === 'PATCH' || method === 'DELETE')
    : versionAt !== null

export type Perform = (db: Db) => Promise<Answer>

/** The work of a request: a slow part that holds no database connection, and a transaction. */
export interface TransactionWork {
  readonly prepare: (() => Promise<unknown>) | null
  readonly perform: (db: Db, prepared: unknown) => Promise<Answer>
  /** `repeatable read` where `perform` compares a version: see `ifUnchanged`. */
  readonly isolation: 'read committed' | 'repeatable read'
}

interface StoredAnswer {
  readonly request_hash: Buffer
  /** Null while the request is being processed. */
  readonly status: number | null
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** The owner of a stored answer. */
export interface StoredBy {
  /** The workspace; the account, for routes of people. */
  readonly ownerId: string
  /** The id of the API key or session; null at the command line. */
  readonly credentialId: string | null
}

export interface IdempotentRequest {
  readonly key: string
  readonly by: StoredBy
  /** Hash of method, path and body. */
  readonly requestHash: Buffer
  /** For an answer with a secret: the caller's API key or session token, with which the stored answer is encrypted. */
  readonly sealWith: string | null
}

function seal(text: string, secret: string | null): Buffer {
  if (secret === null) return Buffer.from(text)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', hash('sha256', `kept answer ${secret}`, 'buffer'), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function open(sealed: Buffer, secret: string | null): string {
  if (secret === null) return sealed.toString()
  const key = hash('sha256', `kept answer ${secret}`, 'buffer')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAuthTag(
    sealed.subarray(12, 28),
  )
  try {
    return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // The key was rotated in between: this caller does not have the secret to which the first answer went.
    throw apiError('idempotency_conflict')
  }
}

const rowOf = ({ by, key }: IdempotentRequest): Sql =>
  sql`workspace_id = ${by.ownerId} and credential_id = ${by.credentialId} and key = ${key}`

/** The answer is stored for 24 h, in the transaction that does the work: a crash leaves both or neither. */
export async function runOnce(db: Db, request: IdempotentRequest, work: TransactionWork): Promise<Answer> {
  if (request.key.length > 255) throw invalid('Idempotency-Key', 'too_long')
  return work.prepare ? onceWithLease(db, request, work.prepare, work) : onceInTransaction(db, request, work)
}

async function onceInTransaction(
  db: Db,
  request: IdempotentRequest,
  { perform, isolation }: TransactionWork,
): Promise<Answer> {
  const { key, by, requestHash } = request
  const now = new Date()
  return db.transaction(async tx => {
    // A second request with the same key waits here until the first has committed or rolled back.
    const claimed = await tx.first(sql`
      insert into idempotency_keys (workspace_id, credential_id, key, request_hash, created_at)
      values (${by.ownerId}, ${by.credentialId}, ${key}, ${requestHash}, ${now})
      on conflict (workspace_id, credential_id, key) do update
        set request_hash = excluded.request_hash, created_at = excluded.created_at
        where idempotency_keys.created_at < ${new Date(now.getTime() - day)}
      returning key`)
    if (!claimed) return (await storedAnswer(tx, request)) ?? busy()
    const answer = await tx.transaction(inner => perform(inner, undefined)).catch(refusal)
    await storeAnswer(tx, request, answer, sql`true`)
    return answer
  }, isolation)
}

const busy = (): never => {
  throw apiError('unavailable', { headers: { 'Retry-After': '1' } })
}

/** The answer of an earlier request; undefined while that request is being processed, or when it has failed. */
async function storedAnswer(db: Db, request: IdempotentRequest): Promise<Answer | undefined> {
  const stored = await db.first<StoredAnswer>(
    sql`select request_hash, status, headers, body from idempotency_keys where ${rowOf(request)}`,
  )
  if (stored && !stored.request_hash.equals(request.requestHash)) throw apiError('idempotency_conflict')
  if (!stored || stored.status === null) return undefined
  return {
    status: stored.status,
    body: open(stored.body, request.sealWith),
    headers: { ...stored.headers, 'Idempotent-Replayed': 'true' },
  }
}

/** False when the row does not meet `condition` any more. */
const storeAnswer = (tx: Db, request: IdempotentRequest, { status, headers, body }: Answer, condition: Sql) =>
  tx.hasRows(sql`
    update idempotency_keys
    set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${seal(body.toString(), request.sealWith)},
      lease_id = null, leased_until = null
    where ${rowOf(request)} and ${condition}
    returning key`)

/** A lease is renewed while its request is processed; the lease of a killed process expires after this time. */
const leaseMilliseconds = 15_000
const renewMilliseconds = 5_000
/** Time that a second request waits for the answer of the first, and the interval of its checks. */
const waitMilliseconds = minute
const firstPollMilliseconds = 50
const longestPollMilliseconds = 1_000

/**
 * For work with a slow part: a lease on the row, taken before the work, replaces the lock that a transaction would
 * hold. A request that has lost its lease commits nothing, so the work takes effect once. It begins twice only when a
 * process dies.
 */
async function onceWithLease(
  db: Db,
  request: IdempotentRequest,
  prepare: () => Promise<unknown>,
  { perform, isolation }: TransactionWork,
): Promise<Answer> {
  const leaseId = randomUUID()
  const stored = await leaseOrAnswer(db, request, leaseId)
  if (stored) return stored
  const isLeased = sql`lease_id = ${leaseId}`
  const renewal = setInterval(() => {
    const until = new Date(Date.now() + leaseMilliseconds)
    const renew = sql`update idempotency_keys set leased_until = ${until} where ${rowOf(request)} and ${isLeased}`
    db.query(renew).catch(() => undefined) // the next renewal can succeed
  }, renewMilliseconds)
  try {
    const prepared = await prepare().then(
      value => ({ value }),
      error => ({ refused: refusal(error) }),
    )
    return await db.transaction(async tx => {
      const held = await tx.first(
        sql`select key from idempotency_keys where ${rowOf(request)} and ${isLeased} for update`,
      )
      if (!held) busy()
      const answer =
        'refused' in prepared
          ? prepared.refused
          : await tx.transaction(inner => perform(inner, prepared.value)).catch(refusal)
      await storeAnswer(tx, request, answer, isLeased)
      return answer
    }, isolation)
  } catch (error) {
    // A failure of ours is not stored: the client can retry at once.
    await db
      .query(sql`delete from idempotency_keys where ${rowOf(request)} and ${isLeased}`)
      .catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Undefined once the lease is taken. A waiting request only reads the row, with growing pauses, until the lease is
 * free.
 */
async function leaseOrAnswer(
  db: Db,
  request: IdempotentRequest,
  leaseId: string,
): Promise<Answer | undefined> {
  const deadline = performance.now() + waitMilliseconds
  let pause = firstPollMilliseconds
  for (
    let isFree = true;
    !(isFree && (await takeLease(db, request, leaseId)));
    isFree = await isLeaseFree(db, request)
  ) {
    const stored = await storedAnswer(db, request)
    if (stored) return stored
    if (performance.now() > deadline) busy()
    await sleep(pause)
    pause = Math.min(pause * 2, longestPollMilliseconds)
  }
  return undefined
}

/** The row is deleted, because its request has failed, or its lease has expired, because its process has died. */
async function isLeaseFree(db: Db, request: IdempotentRequest): Promise<boolean> {
  const row = await db.first<{ leased_until: Date | null }>(
    sql`select leased_until from idempotency_keys where ${rowOf(request)}`,
  )
  return !row || (row.leased_until !== null && row.leased_until.getTime() < Date.now())
}

/**
 * Takes the lease. True if this request has it now: no request has begun the work, or the lease of the one that did has
 * expired.
 */
async function takeLease(db: Db, request: IdempotentRequest, leaseId: string): Promise<boolean> {
  const { key, by, requestHash } = request
  const now = new Date()
  const until = new Date(now.getTime() + leaseMilliseconds)
  return db.hasRows(sql`
    insert into idempotency_keys as k (workspace_id, credential_id, key, request_hash, created_at, lease_id, leased_until)
    values (${by.ownerId}, ${by.credentialId}, ${key}, ${requestHash}, ${now}, ${leaseId}, ${until})
    on conflict (workspace_id, credential_id, key) do update
      set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, headers = null, body = null,
        lease_id = excluded.lease_id, leased_until = excluded.leased_until
      where k.created_at < ${new Date(now.getTime() - day)}
        or (k.leased_until < ${now} and k.request_hash = excluded.request_hash)
    returning key`)
}

/** A refusal is an answer too, and is stored. A failure of ours is not, so that the client can retry. */
function refusal(error: unknown): Answer {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error
  const headers = { 'content-type': 'application/json; charset=utf-8', ...error.headers }
  return { status: error.status, body: JSON.stringify(error.envelope()), headers }
}

/**
 * Reads the resource and writes it in one snapshot. A change by another transaction in between makes the write fail
 * with a serialization failure; the retry then reads the new version and answers 412. So no resource needs its own code
 * for this.
 */
export function ifUnchanged(db: Db, ifMatch: string, read: Perform, write: Perform): Promise<Answer> {
  const tags = ifMatch.split(',').map(tag => tag.trim())
  if (tags.includes('*')) return write(db) // any version is accepted
  return db.transaction(async tx => {
    const current = await read(tx)
    if (!tags.includes(current.headers.etag ?? '')) throw apiError('stale_resource')
    return write(tx)
  }, 'repeatable read')
}

/** To be run daily. */
export const deleteOldIdempotencyKeys = (now: Date) =>
  sql`delete from idempotency_keys where created_at < ${new Date(now.getTime() - day)}`
