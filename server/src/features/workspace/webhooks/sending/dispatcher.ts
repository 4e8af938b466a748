// Finds webhooks with due deliveries and sends to them. It runs in every process that works jobs, apart from the jobs: a
// receiver that hangs delays neither jobs nor other webhooks. All state is in PostgreSQL; when a process dies, another
// one sends again what was not recorded.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#kernel/base/log.ts'
import { isDatabaseSessionGone } from '#kernel/db/database-session.ts'
import type { Pool } from '#kernel/db/db.ts'
import type { Worker } from '#kernel/db/jobs.ts'
import { Listener } from '#kernel/db/listener.ts'
import { webhookChannelName } from '../messages/queries.ts'
import { holdWebhooks, letGo, type PendingWebhook, pendingWebhooks, type WebhookKey } from './queries.ts'
import { Slots } from './slots.ts'
import { holdMilliseconds, type SenderDeps, WebhookSender } from './webhook-sender.ts'

/** Calls `onTime` once, after the shortest of the times that were asked for since the last call. */
class EarliestTimer {
  readonly #onTime: () => void
  #timer: NodeJS.Timeout | undefined
  #at = Number.POSITIVE_INFINITY
  #isStopped = false

  constructor(onTime: () => void) {
    this.#onTime = onTime
  }

  in(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (this.#isStopped || at >= this.#at) return
    this.#at = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#at = Number.POSITIVE_INFINITY
      this.#onTime()
    }, milliseconds)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}

export interface DispatcherDeps extends Omit<SenderDeps, 'db'> {
  readonly db: Pool
  readonly log: Log
}

/** Requests of this process that are under way at once, to all webhooks together. */
const maxRequests = 64
/** Webhooks that this process sends to at once. The others stay for other processes, or for later. */
const maxHeld = 128
/** Without a notification. Retries that are due earlier have a timer. */
const pollMilliseconds = 30_000
/** Notifications that arrive within this time cause one search. */
const gatherMilliseconds = 50
/** After a failure, or when there was nothing to send to a webhook that seemed due. */
const retryMilliseconds = 1_000

class Dispatcher implements Worker {
  readonly #deps: DispatcherDeps
  readonly #id = randomUUID()
  readonly #slots = new Slots(maxRequests)
  readonly #senders = new Map<string, WebhookSender>()
  readonly #runs = new Set<Promise<void>>()
  readonly #listener: Listener
  /** Workspaces to search. A search for them does not read the webhooks of all the others. */
  readonly #changed = new Set<string>()
  readonly #searchOfChanged = new EarliestTimer(() => void this.#searchChanged())
  readonly #searchOfAll = new EarliestTimer(() => void this.#searchAll())
  #isSearching = false
  #isStopping = false

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    this.#listener = new Listener({
      pool: deps.db,
      channel: webhookChannelName,
      session: this.#id,
      onNotify: workspaceId =>
        workspaceId
          ? this.#searchSoon(workspaceId, gatherMilliseconds)
          : this.#searchOfAll.in(gatherMilliseconds),
      log: deps.log,
    })
    this.#searchOfAll.in(pollMilliseconds)
  }

  #searchSoon(workspaceId: string, milliseconds: number): void {
    this.#changed.add(workspaceId)
    this.#searchOfChanged.in(milliseconds)
  }

  async #searchAll(): Promise<void> {
    // The search that runs can have read before the change that this one is for.
    if (this.#isSearching) return this.#searchOfAll.in(gatherMilliseconds)
    this.#changed.clear()
    await this.#search()
    this.#searchOfAll.in(pollMilliseconds)
  }

  async #searchChanged(): Promise<void> {
    if (this.#isSearching) return this.#searchOfChanged.in(gatherMilliseconds)
    const workspaceIds = [...this.#changed]
    this.#changed.clear()
    if (workspaceIds.length > 0) await this.#search(workspaceIds)
  }

  async #search(workspaceIds?: readonly string[]): Promise<void> {
    this.#isSearching = true
    try {
      this.#searchOfAll.in(await this.#begin(workspaceIds))
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'webhooks cannot be read; trying again')
      this.#searchOfAll.in(retryMilliseconds)
    } finally {
      this.#isSearching = false
    }
  }

  /** Begins to send to due webhooks. Returns the milliseconds until the next one can be due. */
  async #begin(workspaceIds?: readonly string[]): Promise<number> {
    const { db } = this.#deps
    const pending = (await pendingWebhooks(db, this.#id, maxHeld * 4, workspaceIds)).filter(
      ({ webhookId }) => !this.#senders.has(webhookId),
    )
    const due = pending.filter(({ dueIn }) => dueIn <= 0).slice(0, maxHeld - this.#senders.size)
    const goneSenders = await this.#goneSenders(due)
    for (const [workspaceId, ofWorkspace] of Map.groupBy(due, webhook => webhook.workspaceId)) {
      const webhookIds = ofWorkspace.map(({ webhookId }) => webhookId)
      const key = { workspaceId, webhookIds }
      for (const webhookId of await holdWebhooks(db, this.#id, key, goneSenders, holdMilliseconds))
        this.#run({ workspaceId, webhookId })
    }
    // A webhook that this process could not hold is free at the latest when its time has run out.
    const waits = pending
      .filter(({ webhookId }) => !this.#senders.has(webhookId))
      .map(({ dueIn, heldFor }: PendingWebhook) => Math.max(dueIn, heldFor ?? 0, retryMilliseconds / 10))
    return Math.min(...waits, pollMilliseconds)
  }

  /**
   * Processes that still hold one of these webhooks, and have ended: their sessions hold no lock any more. In a cluster
   * the locks are those of the coordinator, so a statement about webhooks cannot ask for them.
   */
  async #goneSenders(webhooks: readonly PendingWebhook[]): Promise<string[]> {
    const { db } = this.#deps
    const others = webhooks.flatMap(({ sender, heldFor }) =>
      sender !== null && heldFor !== null ? [sender] : [],
    )
    const gone: string[] = []
    for (const sender of new Set(others)) if (await isDatabaseSessionGone(db, sender)) gone.push(sender)
    return gone
  }

  #run(key: WebhookKey): void {
    if (this.#isStopping) return
    const { db, log } = this.#deps
    const sender = new WebhookSender(key, this.#id, this.#slots, this.#deps)
    this.#senders.set(key.webhookId, sender)
    const end = async (): Promise<void> => {
      try {
        await sender.run()
        await letGo(db, this.#id, key)
      } catch (error) {
        log.warn({ err: error, webhook: key.webhookId }, 'sending to a webhook failed; trying again')
      }
      this.#senders.delete(key.webhookId)
      // A delivery can have become due between the last read and now.
      this.#searchSoon(key.workspaceId, sender.hasSent ? gatherMilliseconds : retryMilliseconds)
    }
    const run = end()
    this.#runs.add(run)
    void run.finally(() => this.#runs.delete(run))
  }

  /** Requests that are still under way after the timeout are sent again by another process. */
  async stop(timeoutMilliseconds: number): Promise<void> {
    this.#isStopping = true
    this.#searchOfChanged.stop()
    this.#searchOfAll.stop()
    for (const sender of this.#senders.values()) sender.stop()
    await Promise.race([Promise.allSettled(this.#runs), sleep(timeoutMilliseconds)])
    // The end of this session frees the webhooks that are still held.
    this.#listener.close()
  }
}

export const startDispatcher = (deps: DispatcherDeps): Worker => new Dispatcher(deps)
