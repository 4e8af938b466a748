// Retries that must not do the work twice (Idempotency-Key) and writes that must not undo another's (If-Match).
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { type Db, sql } from './db.ts'
import { ApiError, apiError, invalid } from './errors.ts'
import type { Answer } from './routes.ts'
import type { Caller } from './scopes.ts'

export type Perform = (db: Db) => Promise<Answer>

interface Kept {
  readonly request_hash: Buffer
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface IdempotentRequest {
  readonly key: string
  readonly by: Caller
  /** Method, path and body. */
  readonly request: Buffer
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

/** Answers are kept for 24 h, in the transaction that did the work: a crash leaves both or neither. */
export async function onceOnly(
  db: Db,
  { key, by, request, sealWith }: IdempotentRequest,
  perform: Perform,
): Promise<Answer> {
  if (key.length > 255) throw invalid('Idempotency-Key', 'too_long')
  const requestHash = hash('sha256', request, 'buffer')
  const now = new Date()
  const dayAgo = new Date(now.getTime() - 24 * 3600_000)
  const where = sql`workspace_id = ${by.workspaceId} and api_key_id = ${by.apiKeyId} and key = ${key}`
  return db.transaction(async tx => {
    // A second request with the same key waits here until the first has committed or given up.
    const [mine] = await tx.query(sql`
      insert into idempotency_keys (workspace_id, api_key_id, key, request_hash, created_at)
      values (${by.workspaceId}, ${by.apiKeyId}, ${key}, ${requestHash}, ${now})
      on conflict (workspace_id, api_key_id, key) do update
        set request_hash = excluded.request_hash, created_at = excluded.created_at
        where idempotency_keys.created_at < ${dayAgo}
      returning key`)
    if (!mine) {
      const [kept] = await tx.query<Kept>(
        sql`select request_hash, status, headers, body from idempotency_keys where ${where}`,
      )
      if (!kept?.request_hash.equals(requestHash)) throw apiError('idempotency_conflict')
      return {
        status: kept.status,
        body: open(kept.body, sealWith),
        headers: { ...kept.headers, 'Idempotent-Replayed': 'true' },
      }
    }
    const answer = await tx.transaction(perform).catch(refusal)
    await tx.query(sql`
      update idempotency_keys set status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}, body = ${seal(answer.body.toString(), sealWith)}
      where ${where}`)
    return answer
  })
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
  sql`delete from idempotency_keys where created_at < ${new Date(now.getTime() - 24 * 3600_000)}`
