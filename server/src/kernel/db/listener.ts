// A connection that listens to a channel of PostgreSQL (LISTEN). It is opened again when it is lost.

import type { Log } from '#kernel/base/log.ts'
import { type DatabaseSession, openDatabaseSession } from './database-session.ts'
import { type Pool, raw, runStatement, sql } from './db.ts'

export interface ListenerOptions {
  readonly pool: Pool
  readonly channel: string
  /** The name of the session: other processes find out by `isDatabaseSessionGone` whether this process lives. */
  readonly session: string
  /** Also called after each opening, without a payload, because notifications were possibly missed. */
  readonly onNotify: (payload?: string) => void
  readonly log: Log
}

const openMilliseconds = 10_000
const retryMilliseconds = 1_000

export class Listener {
  readonly #options: ListenerOptions
  #session: DatabaseSession | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ListenerOptions) {
    this.#options = options
    void this.#open()
  }

  async #open(): Promise<void> {
    const { pool, channel, session: name, onNotify, log } = this.#options
    try {
      const session = await openDatabaseSession(pool, openMilliseconds, name)
      session.client.once('end', () => this.#onLost(session))
      session.client.on('notification', ({ payload }) => onNotify(payload))
      this.#session = session
      await runStatement(session.client, sql`listen ${raw(channel)}`)
      if (this.#isClosed) return this.close()
      onNotify()
    } catch (error) {
      log.debug({ err: error }, 'the listening connection cannot be opened; trying again')
      this.#openLater()
    }
  }

  #onLost(session: DatabaseSession): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#openLater()
  }

  #openLater(): void {
    clearTimeout(this.#retry)
    if (!this.#isClosed) this.#retry = setTimeout(() => void this.#open(), retryMilliseconds).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const session = this.#session
    this.#session = undefined
    session?.client.end().catch(() => undefined)
  }
}
