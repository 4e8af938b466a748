// The deliver job: claims due mailboxes, renders the signature of each, sends it, records the results.
import { hash } from 'node:crypto'
import type { RenderContext } from '#features/signatures/live-signatures/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { fingerprintOf, openAssignments, type RenderedAssignment } from '../assignments.ts'
import type { Connection, DeliveryOutcome, PushChannel } from '../channel.ts'
import { claimDue } from './queries.ts'
import { recordResults } from './rules.ts'
import {
  alreadyThereResult,
  asRetry,
  type ChannelHalt,
  type ClaimedMailbox,
  type DeliveryStep,
  needsDelivery,
  noTargetResult,
  resultOf,
  unchangedResult,
} from './states.ts'

export interface DeliveryPace {
  /** A claim that runs out belonged to a job that died. */
  readonly claimMilliseconds: number
  /**
   * No delivery begins later than this after the claim. A delivery gives up after 15 s, so all of them end before the claim
   * does, and no claim is renewed. The rest of the batch goes back to `due`.
   */
  readonly beginMilliseconds: number
}

export const usualPace: DeliveryPace = { claimMilliseconds: 30_000, beginMilliseconds: 8_000 }
const batchSize = 500
/** The first deliveries of a batch can begin in this part of the claim: however slow rendering is, some mailboxes are reached. */
const firstDeliveriesPart = 0.4
/** Number of signatures that are rendered at a time: fewer when they are large and slow. */
const renderSize = { initial: 25, fastMilliseconds: 100, slowMilliseconds: 500 }

interface DeliveryRun {
  /** Set when the channel halted. */
  readonly halt: ChannelHalt | null
  /** Number of signatures that arrived. */
  readonly delivered: number
}

interface DeliveryOptions {
  readonly db: Db
  readonly context: RenderContext
  readonly channel: PushChannel
  readonly connection: Connection
  readonly pace: DeliveryPace
  /** Called once, when more mailboxes are due than one claim takes. */
  readonly onFullBatch: () => Promise<void>
}

/** Runs until no mailbox of the connection is due. */
export async function deliverDue(options: DeliveryOptions): Promise<DeliveryRun> {
  const { db, context, channel, connection, pace, onFullBatch } = options
  let size = renderSize.initial
  let hasBeenFull = false
  for (let deliveredCount = 0; ; ) {
    const claimedAt = performance.now()
    const claimed = await claimDue(db, connection, batchSize, pace.claimMilliseconds)
    if (claimed.length === 0) return { halt: null, delivered: deliveredCount }
    if (claimed.length === batchSize && !hasBeenFull) {
      hasBeenFull = true
      await onFullBatch()
    }
    const render = await openAssignments(db, context, claimed.map(emailIdOf))
    const batch = new DeliveryBatch(channel, connection, pace, claimedAt, size)
    await batch.deliverAll(claimed, render)
    size = batch.size
    deliveredCount += batch.arrivedCount
    const halt = batch.halt ?? haltIfAllRefused(batch.done, deliveredCount)
    const isLockedOut = halt !== null && halt.code === forbidden
    await recordResults(
      db,
      connection,
      batch.done.map(({ result }) =>
        isLockedOut && result.error_code === forbidden ? asRetry(result) : result,
      ),
    )
    if (batch.failure !== undefined) throw batch.failure
    if (halt) return { halt, delivered: deliveredCount }
  }
}

const emailIdOf = (claimed: ClaimedMailbox): string => claimed.email_id

type Render = Awaited<ReturnType<typeof openAssignments>>

/** The mailboxes of one claim. */
class DeliveryBatch {
  readonly done: DeliveryStep[] = []
  halt: ChannelHalt | null = null
  /** An error of rendering. Deliveries before it are recorded all the same. */
  failure: unknown
  size: number
  readonly #channel: PushChannel
  readonly #connection: Connection
  readonly #pace: DeliveryPace
  readonly #claimedAt: number
  #begun = 0

  constructor(
    channel: PushChannel,
    connection: Connection,
    pace: DeliveryPace,
    claimedAt: number,
    size: number,
  ) {
    this.#channel = channel
    this.#connection = connection
    this.#pace = pace
    this.#claimedAt = claimedAt
    this.size = size
  }

  get arrivedCount(): number {
    return this.done.filter(({ result }) => result.arrivedHtmlSha256 !== null).length
  }

  async deliverAll(claimed: readonly ClaimedMailbox[], render: Render): Promise<void> {
    for (let from = 0; from < claimed.length; ) {
      const queue = claimed.slice(from, from + this.size)
      from += queue.length
      const rendered = await this.#render(queue.map(emailIdOf), render)
      const deliverQueue = async (): Promise<void> => {
        for (let mailbox = queue.shift(); mailbox; mailbox = queue.shift()) {
          const delivered = rendered
            ? await this.#deliverOne(mailbox, rendered.get(mailbox.email_id))
            : { result: unchangedResult(mailbox) }
          this.done.push(delivered)
          this.halt ??= delivered.halt ?? null
        }
      }
      await Promise.all(Array.from({ length: this.#channel.atOnce }, deliverQueue))
    }
  }

  /** True if no further delivery begins. */
  #isOver(): boolean {
    const { claimMilliseconds, beginMilliseconds } = this.#pace
    const most = this.#begun < this.#channel.atOnce ? claimMilliseconds * firstDeliveriesPart : 0
    const isLate = performance.now() - this.#claimedAt > Math.max(most, beginMilliseconds)
    return this.halt !== null || this.failure !== undefined || isLate
  }

  /** Null when it is too late, or when rendering failed. Everything that can fail comes before the first delivery. */
  async #render(
    emailIds: readonly string[],
    render: Render,
  ): Promise<Map<string, RenderedAssignment> | null> {
    if (this.#isOver()) return null
    const began = performance.now()
    try {
      const rendered = await render(emailIds)
      for (const assignment of rendered.values()) await assignment.renderKey()
      return rendered
    } catch (error) {
      this.failure = error
      return null
    } finally {
      this.size = nextSize(this.size, performance.now() - began)
    }
  }

  async #deliverOne(claimed: ClaimedMailbox, target: RenderedAssignment | undefined): Promise<DeliveryStep> {
    if (!target) return { result: noTargetResult(claimed) }
    const { signatureId, address, primaryAddress, sha256: htmlSha256 } = target
    const renderKey = await target.renderKey()
    const sha256 = fingerprintOf(target)
    if (!needsDelivery(claimed, sha256))
      return { result: alreadyThereResult(claimed, signatureId, { sha256, renderKey }) }
    if (this.#isOver()) return { result: unchangedResult(claimed) }
    this.#begun++
    const isRetry = claimed.tried_sha256 === sha256
    const tried = { sha256, claim: isRetry ? (claimed.tried_claim ?? claimed.claim) : claimed.claim }
    const outcome = await this.#send(claimed, target, tried.claim)
    const attempt = { signatureId, address, primaryAddress, htmlSha256, renderKey, tried }
    return resultOf(claimed, attempt, outcome)
  }

  /** The delivery id is made from the claim of the first attempt, so it is stable across retries. */
  #send(
    { email_id }: ClaimedMailbox,
    { address, primaryAddress, signatureId, signatureName, html, text }: RenderedAssignment,
    firstClaim: number,
  ): Promise<DeliveryOutcome> {
    const { integrationId } = this.#connection
    const deliveryId = hash('sha256', `${integrationId} ${email_id} ${firstClaim}`).slice(0, 32)
    const delivery = { deliveryId, address, primaryAddress, signatureId, signatureName, html, text }
    return this.#channel.deliver(delivery, this.#connection).catch(error => ({
      ok: false,
      code: 'delivery_failed',
      message: error instanceof Error ? error.message : String(error),
      next: 'retry',
    }))
  }
}

function nextSize(size: number, milliseconds: number): number {
  if (milliseconds > renderSize.slowMilliseconds) return Math.max(1, Math.floor(size / 2))
  return milliseconds < renderSize.fastMilliseconds ? Math.min(2 * size, batchSize) : size
}

const forbidden = 'forbidden'
/** After an arrival in the same run, a batch of refusals halts the channel only if it has at least this many. */
const manyRefusals = 20

/** A refusal concerns one mailbox, unless the whole batch was refused: then the channel halts. */
function haltIfAllRefused(done: readonly DeliveryStep[], delivered: number): ChannelHalt | null {
  const sent = done.map(({ result }) => result).filter(result => result.address !== null)
  const [first, second] = sent
  if (!first || !second || sent.some(result => result.error_code !== forbidden)) return null
  return delivered > 0 && sent.length < manyRefusals
    ? null
    : { code: forbidden, message: first.error_message ?? '' }
}
