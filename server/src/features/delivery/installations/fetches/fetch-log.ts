// Collects fetches and records them in batches, so that a request for a signature never writes to the database.
import { LRUCache } from 'lru-cache'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { roomFor } from '#kernel/base/caches.ts'
import { minute } from '#kernel/base/durations.ts'
import type { Log } from '#kernel/base/log.ts'
import type { Db } from '#kernel/db/db.ts'
import type { FetchConnection, FetchedSignature } from './queries.ts'
import { recordFetches } from './rules.ts'

/** An address has fetched a signature through a connection. */
export interface NotedFetch extends FetchConnection, FetchedSignature {}

interface FetchLogDeps {
  readonly db: Db
  readonly rendering: RenderDeps
  readonly log: Pick<Log, 'warn'>
}

const flushMilliseconds = 1_000
/** After a failed flush: PostgreSQL is away, or a reconcile job holds the lock for long. */
const retryMilliseconds = 10_000
const batchSize = 200
/** About 5 MB. Further fetches are not noted: the next fetch of the address is. */
const maxNoted = 10_000
/** For so long this process does not look again whether the version of an address is recorded. */
const recordedMilliseconds = 5 * minute

export class FetchLog {
  readonly #deps: FetchLogDeps
  /** By connection and address: the last fetch of each. */
  #noted = new Map<string, NotedFetch>()
  /** Fetches that were recorded a moment ago, by connection and address. About 15 MB. */
  readonly #recorded = new LRUCache<string, string>({
    ...roomFor(50_000),
    ttl: recordedMilliseconds,
    ttlResolution: 1_000, // by default the cache sets a timer in every millisecond in which it is read
  })
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> = Promise.resolve()

  constructor(deps: FetchLogDeps) {
    this.#deps = deps
  }

  /** Cheap, and never throws. What a process notes in its last second is recorded by `close`, or with the next fetch. */
  note(fetch: NotedFetch): void {
    const key = keyOf(fetch)
    if (this.#recorded.get(key) === versionOf(fetch)) return
    if (this.#noted.size >= maxNoted && !this.#noted.has(key)) return
    this.#noted.set(key, fetch)
    this.#flushIn(flushMilliseconds)
  }

  /** Records everything that was noted before. One flush runs at a time. */
  flush(): Promise<void> {
    const run = this.#flushing.then(() => this.#recordNoted())
    this.#flushing = run.catch(error => {
      this.#deps.log.warn({ err: error }, 'fetched signatures were not recorded; the service tries again')
      this.#flushIn(retryMilliseconds)
    })
    return run
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined)
    if (this.#timer) clearTimeout(this.#timer)
  }

  #flushIn(milliseconds: number): void {
    if (this.#timer) return
    const flush = () => {
      this.#timer = null
      this.flush().catch(() => undefined)
    }
    this.#timer = setTimeout(flush, milliseconds).unref()
  }

  /** A connection that fails does not keep the others from being recorded. */
  async #recordNoted(): Promise<void> {
    const connections = Map.groupBy(
      this.#noted.values(),
      fetch => `${fetch.workspaceId} ${fetch.integrationId}`,
    )
    const failures: unknown[] = []
    for (const fetches of connections.values())
      try {
        for (let at = 0; at < fetches.length; at += batchSize)
          await this.#record(fetches.slice(at, at + batchSize))
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failures[0]
  }

  async #record(fetches: readonly NotedFetch[]): Promise<void> {
    const [first] = fetches
    if (!first) return
    const { db, rendering } = this.#deps
    await recordFetches(db, { ...rendering, workspaceId: first.workspaceId }, first, fetches)
    for (const fetch of fetches) {
      const key = keyOf(fetch)
      this.#recorded.set(key, versionOf(fetch))
      // A later fetch of the address has replaced it, if it is another one.
      if (this.#noted.get(key) === fetch) this.#noted.delete(key)
    }
  }
}

const keyOf = ({ integrationId, emailId }: NotedFetch): string => `${integrationId} ${emailId}`
const versionOf = ({ signatureId, sha256 }: NotedFetch): string => `${signatureId} ${sha256}`
