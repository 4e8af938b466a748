// What happened to messages, written to PostgreSQL in batches. Mail does not wait for it: while PostgreSQL is away, the
// entries wait in memory, and the oldest ones are dropped when there are too many.
import { insertRelayMessages, type RelayedMessage } from '#features/delivery/relay/index.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'

const flushMilliseconds = 1_000
const batchSize = 500
const maxWaiting = 20_000

export class RelayJournal {
  readonly #db: Db
  readonly #log: Log
  #waiting: RelayedMessage[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  note(message: RelayedMessage): void {
    this.#waiting.push(message)
    if (this.#waiting.length > maxWaiting) this.#waiting.splice(0, batchSize)
    this.#timer ??= setTimeout(() => void this.flush(), flushMilliseconds)
  }

  /** Writes what waits. Never rejects: what was not written is tried again. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), flushMilliseconds)
    })
    return this.#flushing
  }

  async close(): Promise<void> {
    await this.flush()
    await this.flush()
    clearTimeout(this.#timer)
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const workspaceId = this.#waiting[0]?.workspaceId ?? ''
      const batch = this.#waiting.filter(message => message.workspaceId === workspaceId).slice(0, batchSize)
      try {
        await this.#db.query(insertRelayMessages(workspaceId, batch))
      } catch (error) {
        this.#log.warn({ err: error }, 'the list of relayed messages was not written')
        return
      }
      const written = new Set(batch)
      this.#waiting = this.#waiting.filter(message => !written.has(message))
    }
  }
}
