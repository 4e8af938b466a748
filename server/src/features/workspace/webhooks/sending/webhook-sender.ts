// Sends the due deliveries of one webhook, several at once, until none is due.
import { setTimeout as sleep } from 'node:timers/promises'
import { minute } from '#kernel/base/durations.ts'
import { type Db, databaseNow } from '#kernel/db/db.ts'
import { messageIdOf } from '../events.ts'
import { type MessageAnswer, resultOfAttempt } from './outcome.ts'
import {
  type Attempt,
  type DueMessage,
  dueMessages,
  type HealthChange,
  type HeldWebhook,
  readHeld,
  recordAttempts,
  saveHealth,
  type WebhookKey,
} from './queries.ts'
import type { Slots } from './slots.ts'
import { type SwitchOffDeps, switchWebhookOff } from './switch-off.ts'

interface OutgoingMessage {
  readonly url: string
  readonly id: string
  readonly body: string
  /** Each of them signs the request. */
  readonly secrets: readonly string[]
}

export interface SenderDeps extends SwitchOffDeps {
  readonly db: Db
  /** Never throws for what a receiver does. Gives up after 15 s. */
  readonly post: (message: OutgoingMessage) => Promise<MessageAnswer>
  readonly openSecret: (sealed: Buffer, webhookId: string) => Promise<string>
  /** For the metrics. */
  readonly count: (outcome: 'delivered' | 'retried' | 'failed') => void
}

/** Requests to one webhook at once. */
const maxAtOnce = 8
/** A request that takes longer makes fewer of them at once: a webhook that hangs occupies one slot. */
const slowMilliseconds = 5_000
/** Time for which a process that no other one can see dead keeps a webhook. A request takes 15 s at most. */
export const holdMilliseconds = minute

const gatherMilliseconds = 5
/** While there is no backlog: messages of so many milliseconds are read and recorded together. */
const paceMilliseconds = 100

const outcomes = { delivered: 'delivered', pending: 'retried', failed: 'failed' } as const

export class WebhookSender {
  readonly #key: WebhookKey
  readonly #sender: string
  readonly #slots: Slots
  readonly #deps: SenderDeps
  /** Deliveries whose attempt is under way, or done and not recorded yet: they still look due. */
  readonly #unrecorded = new Set<string>()
  #underWay = 0
  #done: Attempt[] = []
  #signal = Promise.withResolvers<void>()
  #atOnce = 1
  #renewsAt = performance.now() + holdMilliseconds / 4
  #isStopping = false
  /** True if a request was made at all. */
  hasSent = false

  constructor(key: WebhookKey, sender: string, slots: Slots, deps: SenderDeps) {
    this.#key = key
    this.#sender = sender
    this.#slots = slots
    this.#deps = deps
  }

  /** No further request begins; `run` returns when those under way are recorded. */
  stop(): void {
    this.#isStopping = true
  }

  async run(): Promise<void> {
    for (;;) {
      const slots = await this.#takeSlots()
      const begun = await this.#recordAndBegin(slots)
      const isIdle = this.#underWay === 0 && this.#done.length === 0
      if (isIdle && begun === 0 && (slots > 0 || this.#isStopping)) return
      if (this.#underWay > 0) await this.#waitForResults()
      if (begun < slots && !this.#isStopping) await sleep(paceMilliseconds)
    }
  }

  /** Results that come within a few milliseconds are recorded together: fewer transactions, each with its own flush. */
  async #waitForResults(): Promise<void> {
    if (this.#done.length === 0) await this.#signal.promise
    if (this.#underWay > 0) await sleep(gatherMilliseconds)
    this.#signal = Promise.withResolvers()
  }

  /** Waits for a slot only when there is nothing else to do. */
  async #takeSlots(): Promise<number> {
    const most = this.#atOnce - this.#underWay
    if (this.#isStopping || most <= 0) return 0
    if (this.#underWay > 0 || this.#done.length > 0) return this.#slots.tryTake(most)
    return this.#slots.take(most)
  }

  /** Records what is done and reads what is due, in one transaction. Returns the number of requests that it began. */
  async #recordAndBegin(slots: number): Promise<number> {
    const done = this.#done
    this.#done = []
    let begun = 0
    try {
      const { held, due } = await this.#deps.db.transaction(tx => this.#exchange(tx, done, slots))
      for (const { deliveryId } of done) this.#unrecorded.delete(deliveryId)
      if (!held) this.#isStopping = true
      else if (due.length > 0) {
        const secrets = await this.#openSecrets(held)
        for (const message of due) void this.#send(held.url, secrets, message)
        begun = due.length
      }
      return begun
    } finally {
      if (slots > begun) this.#slots.release(slots - begun)
    }
  }

  async #exchange(
    tx: Db,
    done: readonly Attempt[],
    slots: number,
  ): Promise<{ readonly held: HeldWebhook | undefined; readonly due: readonly DueMessage[] }> {
    const held = await readHeld(tx, this.#sender, this.#key)
    // An attempt at an earlier address tells nothing about the present one: what failed there is still due.
    const current = done.filter(attempt => !held || attempt.url === held.url)
    const recorded = done.filter(attempt => attempt.state === 'delivered' || current.includes(attempt))
    if (recorded.length > 0)
      await recordAttempts(tx, this.#key, held?.now ?? (await databaseNow(tx)), recorded)
    if (!held) return { held, due: [] }
    const pauses = current.flatMap(attempt => attempt.pause ?? [])
    const health = {
      hasSuccess: current.some(attempt => attempt.state === 'delivered'),
      hasFailure: current.some(attempt => attempt.state !== 'delivered'),
      pause: pauses.length > 0 ? Math.max(...pauses) : null,
    }
    const isOverdue = await this.#saveHealth(tx, held, health)
    const isGone = current.some(attempt => attempt.problem === 'gone')
    const reason = isGone ? 'gone' : isOverdue ? 'failing' : undefined
    if (reason && held.active) await switchWebhookOff(tx, this.#key, reason, this.#deps)
    if (reason || !held.active || slots === 0) return { held, due: [] }
    return { held, due: await dueMessages(tx, this.#key, [...this.#unrecorded], slots) }
  }

  /** Writes only what has changed, or a hold that runs out. Returns whether the webhook has failed for too long. */
  async #saveHealth(tx: Db, { now, isFailing }: HeldWebhook, health: HealthChange): Promise<boolean> {
    const isUnchanged = !health.hasFailure && !isFailing && health.pause === null
    if (isUnchanged && performance.now() < this.#renewsAt) return false
    this.#renewsAt = performance.now() + holdMilliseconds / 4
    return saveHealth(tx, this.#key, now, health, holdMilliseconds)
  }

  /** Undefined when the service lacks the key that they were encrypted with. */
  async #openSecrets({ secret, old_secret }: HeldWebhook): Promise<readonly string[] | undefined> {
    const sealed = old_secret ? [secret, old_secret] : [secret]
    const open = (bytes: Buffer) => this.#deps.openSecret(bytes, this.#key.webhookId)
    return Promise.all(sealed.map(open)).catch(() => undefined)
  }

  async #send(url: string, secrets: readonly string[] | undefined, message: DueMessage): Promise<void> {
    const { deliveryId, messageId, dueAt, body } = message
    this.hasSent = true
    this.#underWay++
    this.#unrecorded.add(deliveryId)
    const began = performance.now()
    const answer: MessageAnswer = secrets
      ? await this.#deps
          .post({ url, id: messageIdOf(messageId), body, secrets })
          .catch(() => ({ problem: 'unreachable' }) as const)
      : { problem: 'secret_unreadable' }
    const milliseconds = Math.round(performance.now() - began)
    const attempts = message.attempts + 1
    const result = resultOfAttempt(answer, attempts)
    this.#deps.count(outcomes[result.state])
    this.#underWay--
    this.#done.push({ ...result, deliveryId, dueAt, attempts, milliseconds, url })
    this.#slots.release()
    this.#atOnce =
      milliseconds < slowMilliseconds
        ? Math.min(maxAtOnce, this.#atOnce * 2)
        : Math.max(1, Math.floor(this.#atOnce / 2))
    this.#signal.resolve()
  }
}
