// Retries that must not do the work twice (Idempotency-Key) and writes that must not undo another's (If-Match).
import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, type Sql, sql } from './db.ts'
import { ApiError, apiError, invalid } from './errors.ts'
import type { Answer } from './routes.ts'
import type { Caller } from './scopes.ts'

export type Perform = (db: Db) => Promise<Answer>

/** A request's work: a slow part that holds no connection, and a transaction. */
export interface TransactionWork {
  readonly prepare: (() => Promise<unknown>) | null
  readonly perform: (db: Db, prepared: unknown) => Promise<Answer>
}

interface Kept {
  readonly request_hash: Buffer
  /** Null while the request is being worked on. */
  readonly status: number | null
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface IdempotentRequest {
  readonly key: string
  readonly by: Caller
  /** Of method, path and body. */
  readonly requestHash: Buffer
  /** The caller's API key, where the answer holds a secret: it is kept in a form that this key alone opens. */
  readonly sealWith: string | null
}

function seal(text: string, secret: string | null): Buffer {
  if (secret === null) return Buffer.from(text)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', hash('sha256', `kept answer ${secret}`, 'buffer'), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function open(kept: Buffer, secret: string | null): string {
  if (secret === null) return kept.toString()
  const key = hash('sha256', `kept answer ${secret}`, 'buffer')
  const decipher = createDecipheriv('aes-256-gcm', key, kept.subarray(0, 12)).setAuthTag(
    kept.subarray(12, 28),
  )
  try {
    return decipher.update(kept.subarray(28), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // The key was rotated in between: not the secret the first answer went to.
    throw apiError('idempotency_conflict')
  }
}

const day = 24 * 3600_000

const rowOf = ({ by, key }: IdempotentRequest): Sql =>
  sql`workspace_id = ${by.workspaceId} and api_key_id = ${by.apiKeyId} and key = ${key}`

/** Answers are kept for 24 h, in the transaction that did the work: a crash leaves both or neither. */
export async function onceOnly(db: Db, request: IdempotentRequest, work: TransactionWork): Promise<Answer> {
  if (request.key.length > 255) throw invalid('Idempotency-Key', 'too_long')
  return work.prepare
    ? onceWithLease(db, request, work.prepare, work.perform)
    : onceInTransaction(db, request, work)
}

async function onceInTransaction(
  db: Db,
  request: IdempotentRequest,
  { perform }: TransactionWork,
): Promise<Answer> {
  const { key, by, requestHash } = request
  const now = new Date()
  return db.transaction(async tx => {
    // A second request with the same key waits here until the first has committed or given up.
    const [mine] = await tx.query(sql`
      insert into idempotency_keys (workspace_id, api_key_id, key, request_hash, created_at)
      values (${by.workspaceId}, ${by.apiKeyId}, ${key}, ${requestHash}, ${now})
      on conflict (workspace_id, api_key_id, key) do update
        set request_hash = excluded.request_hash, created_at = excluded.created_at
        where idempotency_keys.created_at < ${new Date(now.getTime() - day)}
      returning key`)
    if (!mine) return (await keptAnswer(tx, request)) ?? busy()
    const answer = await tx.transaction(inner => perform(inner, undefined)).catch(refusal)
    await keepAnswer(tx, request, answer, sql`true`)
    return answer
  })
}

const busy = (): never => {
  throw apiError('unavailable', { headers: { 'Retry-After': '1' } })
}

/** The answer of an earlier request; undefined while that one is being worked on, or when it has failed. */
async function keptAnswer(db: Db, request: IdempotentRequest): Promise<Answer | undefined> {
  const [kept] = await db.query<Kept>(
    sql`select request_hash, status, headers, body from idempotency_keys where ${rowOf(request)}`,
  )
  if (kept && !kept.request_hash.equals(request.requestHash)) throw apiError('idempotency_conflict')
  if (!kept || kept.status === null) return undefined
  return {
    status: kept.status,
    body: open(kept.body, request.sealWith),
    headers: { ...kept.headers, 'Idempotent-Replayed': 'true' },
  }
}

/** False when the row is not as `condition` says any more. */
async function keepAnswer(
  tx: Db,
  request: IdempotentRequest,
  { status, headers, body }: Answer,
  condition: Sql,
): Promise<boolean> {
  const kept = await tx.query(sql`
    update idempotency_keys
    set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${seal(body.toString(), request.sealWith)},
      lease_id = null, leased_until = null
    where ${rowOf(request)} and ${condition}
    returning key`)
  return kept.length > 0
}

/** A lease is renewed while its holder works; the lease of a killed process expires after this. */
const leaseMilliseconds = 15_000
const renewMilliseconds = 5_000
/** How long a second request waits for the first one's answer, and how often it looks. */
const waitMilliseconds = 60_000
const firstPollMilliseconds = 50
const longestPollMilliseconds = 1_000

/**
 * For work with a slow part: a lease on the row, taken before the work, takes the place of the lock that a transaction would
 * hold. Who loses the lease commits nothing, so the work takes effect once; it is begun twice only when a process dies.
 */
async function onceWithLease(
  db: Db,
  request: IdempotentRequest,
  prepare: () => Promise<unknown>,
  perform: TransactionWork['perform'],
): Promise<Answer> {
  const leaseId = randomUUID()
  const kept = await leaseOrAnswer(db, request, leaseId)
  if (kept) return kept
  const isMine = sql`lease_id = ${leaseId}`
  const renewal = setInterval(() => {
    const until = new Date(Date.now() + leaseMilliseconds)
    const renew = sql`update idempotency_keys set leased_until = ${until} where ${rowOf(request)} and ${isMine}`
    db.query(renew).catch(() => undefined) // the next renewal may succeed
  }, renewMilliseconds)
  try {
    const prepared = await prepare().then(
      value => ({ value }),
      error => ({ refused: refusal(error) }),
    )
    return await db.transaction(async tx => {
      const [held] = await tx.query(
        sql`select key from idempotency_keys where ${rowOf(request)} and ${isMine} for update`,
      )
      if (!held) busy()
      const answer =
        'refused' in prepared
          ? prepared.refused
          : await tx.transaction(inner => perform(inner, prepared.value)).catch(refusal)
      await keepAnswer(tx, request, answer, isMine)
      return answer
    })
  } catch (error) {
    // A failure of ours is not kept: the client may try again at once.
    await db
      .query(sql`delete from idempotency_keys where ${rowOf(request)} and ${isMine}`)
      .catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Undefined once the lease is taken. A request that waits reads the row, ever less often: only a free row is written. */
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
    const kept = await keptAnswer(db, request)
    if (kept) return kept
    if (performance.now() > deadline) busy()
    await sleep(pause)
    pause = Math.min(pause * 2, longestPollMilliseconds)
  }
  return undefined
}

/** The row is gone, because its request has failed, or its lease has expired with the process that held it. */
async function isLeaseFree(db: Db, request: IdempotentRequest): Promise<boolean> {
  const [row] = await db.query<{ leased_until: Date | null }>(
    sql`select leased_until from idempotency_keys where ${rowOf(request)}`,
  )
  return !row || (row.leased_until !== null && row.leased_until.getTime() < Date.now())
}

/** Whether this request is the one to do the work: none has begun it, or the one that had is gone. */
async function takeLease(db: Db, request: IdempotentRequest, leaseId: string): Promise<boolean> {
  const { key, by, requestHash } = request
  const now = new Date()
  const until = new Date(now.getTime() + leaseMilliseconds)
  const taken = await db.query(sql`
    insert into idempotency_keys as k (workspace_id, api_key_id, key, request_hash, created_at, lease_id, leased_until)
    values (${by.workspaceId}, ${by.apiKeyId}, ${key}, ${requestHash}, ${now}, ${leaseId}, ${until})
    on conflict (workspace_id, api_key_id, key) do update
      set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, headers = null, body = null,
        lease_id = excluded.lease_id, leased_until = excluded.leased_until
      where k.created_at < ${new Date(now.getTime() - day)}
        or (k.leased_until < ${now} and k.request_hash = excluded.request_hash)
    returning key`)
  return taken.length > 0
}

/** A refusal is an answer too, and kept; a failure of ours is not, so that the client can try again. */
function refusal(error: unknown): Answer {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error
  const headers = { 'content-type': 'application/json; charset=utf-8', ...error.headers }
  return { status: error.status, body: JSON.stringify(error.envelope()), headers }
}

/**
 * Reads the resource and writes it in one snapshot. Whoever changes it in between makes the write fail to serialise;
 * then all is done again, finds the new version, and answers 412. So no resource needs code of its own for this.
 */
export function ifUnchanged(db: Db, ifMatch: string, read: Perform, write: Perform): Promise<Answer> {
  const wanted = ifMatch.split(',').map(tag => tag.trim())
  if (wanted.includes('*')) return write(db) // any version will do
  return db.transaction(async tx => {
    const current = await read(tx)
    if (!wanted.includes(current.headers.etag ?? '')) throw apiError('stale_resource')
    return write(tx)
  }, 'repeatable read')
}

/** Run daily. */
export const forgetOldKeys = (now: Date) =>
  sql`delete from idempotency_keys where created_at < ${new Date(now.getTime() - day)}`
