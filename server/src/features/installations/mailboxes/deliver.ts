// Carries signatures to mailboxes: claims those that are due, draws what each should have now, delivers it, notes what came of it.
import { hash } from 'node:crypto'
import type { RenderContext } from '#features/live-signatures/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Connection, DeliveryOutcome, PushChannel } from '../channel.ts'
import { openAssignments, type RenderedAssignment } from '../reconcile/assignments.ts'
import { type ClaimedMailbox, claimDue, type DeliveryResult, recordResults } from './queries.ts'

export interface DeliveryPace {
  /** A claim that runs out belonged to somebody who is gone. */
  readonly claimMilliseconds: number
  /**
   * Nothing more is begun after this part of it: what is on its way (a delivery gives up after 15 s) ends before the claim does, and
   * nobody has to renew one. What is left is handed back, and drawn anew with the next claim. The first ones have a little longer:
   * however long drawing takes, somebody is reached.
   */
  readonly beginMilliseconds: number
}

const usualPace: DeliveryPace = { claimMilliseconds: 30_000, beginMilliseconds: 8_000 }
const batch = 500
/** The part of a claim in which those may begin that begin at once. */
const first = 0.4
/** Drawn at a time: as many as take a moment, since large signatures take long, and much room. */
const slice = { first: 25, quick: 100, slow: 500 }
const mostAttempts = 12

/** 5 s, 10 s, 20 s … an hour at most; spread, so that a crowd does not come back as one. */
export function backOffAfter(attempts: number, chance = Math.random()): number {
  const seconds = Math.min(5 * 2 ** (attempts - 1), 3_600)
  return Math.round(seconds * 1_000 * (0.5 + chance))
}

/** Two that are the same need not be told apart in a mailbox. */
export const fingerprintOf = ({
  address,
  primaryAddress,
  signatureId,
  sha256,
  text,
}: RenderedAssignment): string =>
  hash('sha256', [address, primaryAddress, signatureId, sha256, text].join('\n'))

export type ChannelHalt = {
  readonly code: string
  readonly message: string
  /** It ends by itself after so many milliseconds. */
  readonly after?: number
}

export interface DeliveryRun {
  /** Why, when nobody gets through. */
  readonly halt: ChannelHalt | null
  /** How many got through. */
  readonly delivered: number
}

/** Until nothing is due. */
export async function deliverDue(
  db: Db,
  place: RenderContext,
  channel: PushChannel,
  connection: Connection,
  pace = usualPace,
): Promise<DeliveryRun> {
  let size = slice.first
  for (let delivered = 0; ; ) {
    const began = performance.now()
    const claimed = await claimDue(db, connection, batch, pace.claimMilliseconds)
    if (claimed.length === 0) return { halt: null, delivered }
    const draw = await openAssignments(db, place, claimed.map(idOf))
    const done: Done[] = []
    let halt: ChannelHalt | null = null
    let failure: unknown
    let begun = 0
    const isOver = () => {
      const most = begun < channel.atOnce ? pace.claimMilliseconds * first : 0
      const isLate = performance.now() - began > Math.max(most, pace.beginMilliseconds)
      return halt !== null || failure !== undefined || isLate
    }
    const mayBegin = () => !isOver() && ++begun > 0
    for (let from = 0; from < claimed.length; ) {
      const queue = claimed.slice(from, from + size)
      from += queue.length
      const drawing = performance.now()
      // What was delivered before is noted, whatever comes now.
      const desired = isOver()
        ? null
        : await renderWithKeys(draw, queue.map(idOf)).catch(error => {
            failure = error
            return null
          })
      size = nextSize(size, performance.now() - drawing)
      const carry = async (): Promise<void> => {
        for (let one = queue.shift(); one; one = queue.shift()) {
          const what = desired
            ? await deliverOne(one, desired.get(one.email_id), channel, connection, mayBegin)
            : { result: unchanged(one) }
          done.push(what)
          halt ??= what.halt ?? null
        }
      }
      await Promise.all(Array.from({ length: channel.atOnce }, carry))
    }
    const arrived = done.filter(one => one.result.arrived !== null).length
    delivered += arrived
    halt ??= haltIfAllRefused(done, delivered)
    const isLockedOut = halt !== null && halt.code === forbidden
    await recordResults(
      db,
      connection,
      done.map(({ result }) => (isLockedOut && result.error_code === forbidden ? asRetry(result) : result)),
    )
    if (failure !== undefined) throw failure
    if (halt) return { halt, delivered }
  }
}

/** All that can fail happens here: once something was delivered, it has to be noted. */
async function renderWithKeys(
  draw: Awaited<ReturnType<typeof openAssignments>>,
  emailIds: readonly string[],
): Promise<Map<string, RenderedAssignment>> {
  const desired = await draw(emailIds)
  for (const one of desired.values()) await one.renderKey()
  return desired
}

const idOf = (one: ClaimedMailbox): string => one.email_id

function nextSize(size: number, milliseconds: number): number {
  if (milliseconds > slice.slow) return Math.max(1, Math.floor(size / 2))
  return milliseconds < slice.quick ? Math.min(2 * size, batch) : size
}

interface Done {
  readonly result: DeliveryResult
  readonly halt?: ChannelHalt
}

const forbidden = 'forbidden'
const many = 20

/** One who is refused is one who is refused. When everybody is, it is not them. */
function haltIfAllRefused(done: readonly Done[], delivered: number): ChannelHalt | null {
  const sent = done.map(one => one.result).filter(one => one.address !== null)
  const [one, another] = sent
  if (!one || !another || sent.some(result => result.error_code !== forbidden)) return null
  return delivered > 0 && sent.length < many ? null : { code: forbidden, message: one.error_message ?? '' }
}

/** After the others, next time. */
const asRetry = (result: DeliveryResult): DeliveryResult => ({
  ...result,
  status: 'pending',
  attempts: result.attempts - 1,
  wait: backOffAfter(1),
})

const unchanged = ({ email_id, claim, revision, attempts, ...claimed }: ClaimedMailbox): DeliveryResult => ({
  emailId: email_id,
  claim,
  revision,
  signatureId: null,
  address: null,
  status: 'unchanged',
  attempts,
  written:
    claimed.written_sha256 === null
      ? null
      : { sha256: claimed.written_sha256, renderKey: claimed.written_origin },
  arrived: null,
  tried:
    claimed.tried_sha256 !== null && claimed.tried_claim !== null
      ? { sha256: claimed.tried_sha256, claim: claimed.tried_claim }
      : null,
  error_code: null,
  error_message: null,
  wait: 0,
})

async function deliverOne(
  claimed: ClaimedMailbox,
  target: RenderedAssignment | undefined,
  channel: PushChannel,
  connection: Connection,
  mayBegin: () => boolean,
): Promise<Done> {
  const base = unchanged(claimed)
  // Nothing is taken away; but whether it stays there is not ours to know any more.
  if (!target) return { result: { ...base, status: 'uninstalled', written: null, tried: null } }
  const { signatureId } = target
  const origin = await target.renderKey()
  const sha256 = fingerprintOf(target)
  if (sha256 === claimed.written_sha256 && !claimed.is_forced)
    return {
      result: {
        ...base,
        signatureId,
        status: 'installed',
        written: { sha256, renderKey: origin },
        tried: null,
      },
    }
  if (!mayBegin()) return { result: base }
  const isRetry = base.tried?.sha256 === sha256
  const tried = { sha256, claim: isRetry ? (base.tried?.claim ?? claimed.claim) : claimed.claim }
  const outcome = await sendThrough(claimed, target, tried.claim, channel, connection)
  return resultOf({ ...base, signatureId }, { ...target, origin }, tried, outcome)
}

/** The id stays the same when the same is tried again, and is never used for anything else. */
function sendThrough(
  { email_id }: ClaimedMailbox,
  { emailId: _, sha256: __, renderKey: ___, ...shown }: RenderedAssignment,
  number: number,
  channel: PushChannel,
  connection: Connection,
): Promise<DeliveryOutcome> {
  const deliveryId = hash('sha256', `${connection.integrationId} ${email_id} ${number}`).slice(0, 32)
  return channel.deliver({ deliveryId, ...shown }, connection).catch(error => ({
    ok: false,
    code: 'delivery_failed',
    message: error instanceof Error ? error.message : String(error),
    next: 'again',
  }))
}

interface Delivered extends Pick<RenderedAssignment, 'address' | 'sha256'> {
  readonly origin: string
}

function resultOf(
  base: DeliveryResult,
  target: Delivered,
  tried: NonNullable<DeliveryResult['tried']>,
  outcome: DeliveryOutcome,
): Done {
  const attempts = base.attempts + 1
  const sent = { ...base, address: target.address, attempts, written: null, tried: null }
  if (outcome.ok)
    return {
      result: {
        ...sent,
        status: 'installed',
        written: { sha256: tried.sha256, renderKey: target.origin },
        arrived: target.sha256,
      },
    }
  const { code: error_code, next } = outcome
  const error_message = outcome.message.toWellFormed().replace(/\p{Cc}/gu, ' ') // as it can be kept
  const error = { error_code, error_message }
  const halt = { code: error_code, message: error_message }
  const wait = outcome.afterMilliseconds ?? backOffAfter(attempts)
  // Nothing was sent.
  if (outcome.quotaExhausted)
    return { result: { ...base, status: 'pending', ...error, wait }, halt: { ...halt, after: wait } }
  if (next === 'stop')
    return {
      result: { ...sent, attempts: base.attempts, status: 'pending', ...error, wait: backOffAfter(1) },
      halt,
    }
  // What was refused is refused again; where nobody answered, the next comparison may find somebody.
  if (next === 'never') return { result: { ...sent, status: 'failed', tried, ...error } }
  if (attempts >= mostAttempts) return { result: { ...sent, status: 'failed', ...error } }
  return { result: { ...sent, status: 'pending', tried, ...error, wait } }
}
