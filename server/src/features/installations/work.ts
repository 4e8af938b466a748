// Carries signatures to mailboxes: claims what is due, draws it as it should be now, delivers it, notes what came of it.
import type { Db } from '../../kernel/db.ts'
import type { Connection, Outcome, PushChannel } from './channel.ts'
import { type Desired, desiredFor, type Place } from './desired.ts'
import { type Claimed, claim, type Result, renew, settle } from './queries.ts'

/** A claim that runs out belonged to somebody who is gone; whoever is not says so in time. */
const claimMilliseconds = 20_000
const renewMilliseconds = 5_000
const batch = 500
const mostAttempts = 12

/** 5 s, 10 s, 20 s … an hour at most; spread, so that a crowd does not come back as one. */
export function pauseAfter(attempts: number, chance = Math.random()): number {
  const seconds = Math.min(5 * 2 ** (attempts - 1), 3_600)
  return Math.round(seconds * 1_000 * (0.5 + chance))
}

export type Halt = {
  readonly code: string
  readonly message: string
  /** It ends by itself. */
  readonly until?: Date
}

/** Until nothing is due. Answers why, when nobody gets through. */
export async function work(
  db: Db,
  place: Place,
  channel: PushChannel,
  connection: Connection,
): Promise<Halt | null> {
  for (;;) {
    const claimed = await claim(db, connection, batch, claimMilliseconds)
    if (claimed.length === 0) return null
    const desired = await desiredFor(
      db,
      place,
      claimed.map(one => one.email_id),
    )
    const results: Result[] = []
    let halt: Halt | null = null
    const queue = [...claimed]
    const ids = claimed.map(one => one.id)
    const heart = setInterval(
      () => void renew(db, place.workspaceId, ids, claimMilliseconds).catch(() => undefined),
      renewMilliseconds,
    )
    const carry = async (): Promise<void> => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        if (halt) {
          results.push(handBack(one))
          continue
        }
        const { result, stop } = await deliverOne(one, desired.get(one.email_id), channel, connection)
        results.push(result)
        halt ??= stop
      }
    }
    try {
      await Promise.all(Array.from({ length: channel.atOnce }, carry))
      await settle(db, place.workspaceId, results)
    } finally {
      clearInterval(heart)
    }
    if (halt) return halt
  }
}

const handBack = ({ id, revision, attempts }: Claimed): Result => ({
  id,
  revision,
  status: 'pending',
  attempts,
  sha256: null,
  error_code: null,
  error_message: null,
  due_at: new Date(),
})

async function deliverOne(
  claimed: Claimed,
  target: Desired | undefined,
  channel: PushChannel,
  connection: Connection,
): Promise<{ result: Result; stop: Halt | null }> {
  const base = handBack(claimed)
  // Another signature has taken its place meanwhile; its own row is on the way.
  if (!target || target.signatureId !== claimed.signature_id)
    return { result: { ...base, status: 'uninstalled' }, stop: null }
  if (target.sha256 === claimed.html_sha256) return { result: { ...base, status: 'installed' }, stop: null }
  const { sha256, emailId: _, ...shown } = target
  const parcel = { installationId: claimed.id, ...shown }
  const outcome: Outcome = await channel.deliver(parcel, connection).catch(error => ({
    ok: false,
    code: 'delivery_failed',
    message: error instanceof Error ? error.message : String(error),
    next: 'again',
  }))
  const attempts = claimed.attempts + 1
  if (outcome.ok) return { result: { ...base, attempts, status: 'installed', sha256 }, stop: null }
  const { code: error_code, message: error_message, next, afterMilliseconds } = outcome
  if (next === 'stop')
    return {
      result: { ...base, error_code, error_message },
      stop: { code: error_code, message: error_message },
    }
  const due_at = new Date(Date.now() + (afterMilliseconds ?? pauseAfter(attempts)))
  if (outcome.forEverybody)
    return {
      result: { ...base, error_code, error_message, due_at },
      stop: { code: error_code, message: error_message, until: due_at },
    }
  const isOver = next === 'never' || attempts >= mostAttempts
  const status = isOver ? 'failed' : 'pending'
  return { result: { ...base, attempts, status, error_code, error_message, due_at }, stop: null }
}
