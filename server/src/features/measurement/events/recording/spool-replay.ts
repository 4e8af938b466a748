// Commits the events of sealed segments, and seals segments that another process has abandoned.
import { readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minute } from '#kernel/base/durations.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { isDataFault } from './group-commit.ts'
import {
  decodeEvents,
  encodeEvent,
  ignoreMissing,
  isAbandoned,
  type SpooledEvent,
  segmentsIn,
} from './spool-segment.ts'

export interface ReplayOptions {
  readonly folder: string
  /** Commits the events that are not committed yet. Throws when it cannot know now which those are. */
  readonly replay: (events: readonly SpooledEvent[]) => Promise<void>
  readonly log: Log
  readonly count: (state: 'spooled' | 'replayed' | 'dropped', by?: number) => void
}

/** Bytes of all segments in the folder. */
export interface DiskUsage {
  bytes: number
}

const retryMilliseconds = 1_000
/** A failure that repeats is a warning this often; in between it is a debug message. */
const warnMilliseconds = minute

export class SpoolReplay {
  readonly #options: ReplayOptions
  readonly #usage: DiskUsage
  #isRunning = false
  #isStopped = false
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(options: ReplayOptions, usage: DiskUsage) {
    this.#options = options
    this.#usage = usage
  }

  /** Looks for abandoned segments, measures the folder, and replays. */
  scan(): void {
    this.#adoptAbandoned().then(
      () => this.wake(),
      error => this.#options.log.error({ err: error }, 'the spool cannot be read'),
    )
  }

  /** Replays until no sealed segment is left, unless that is being done already. */
  wake(): void {
    if (this.#isStopped || this.#isRunning) return
    this.#isRunning = true
    void this.#run().finally(() => {
      this.#isRunning = false
    })
  }

  stop(): void {
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    const { folder } = this.#options
    while (!this.#isStopped && (await segmentsIn(folder, '.ready')).length > 0) {
      if (!(await this.#replayAll())) await sleep(retryMilliseconds, undefined, { ref: false })
    }
  }

  async #adoptAbandoned(): Promise<void> {
    const { folder } = this.#options
    for (const path of await segmentsIn(folder, '.open')) {
      const file = await stat(path).catch(() => null)
      const age = file ? Date.now() - file.mtimeMs : 0
      if (isAbandoned(basename(path), age))
        await rename(path, path.replace(/open$/, 'ready')).catch(() => undefined)
    }
    const sizes = await Promise.all(
      [...(await segmentsIn(folder, '.open')), ...(await segmentsIn(folder, '.ready'))].map(path =>
        stat(path).then(
          file => file.size,
          () => 0,
        ),
      ),
    )
    this.#usage.bytes = sizes.reduce((sum, size) => sum + size, 0)
  }

  /** True if all segments are done. A segment that fails does not hold up the others, unless PostgreSQL is away. */
  async #replayAll(): Promise<boolean> {
    let isDone = true
    let isAway = false
    for (const path of await segmentsIn(this.#options.folder, '.ready')) {
      if (isAway || this.#isStopped) return false
      await this.#replaySegment(path).catch(error => {
        isDone = false
        isAway = error instanceof ApiError
        this.#report(error)
      })
    }
    return isDone
  }

  #report(error: unknown): void {
    const isWarning = performance.now() - this.#warnedAt > warnMilliseconds
    if (isWarning) this.#warnedAt = performance.now()
    this.#options.log[isWarning ? 'warn' : 'debug']({ err: error }, 'events wait on disk')
  }

  async #replaySegment(path: string): Promise<void> {
    const { replay, count } = this.#options
    const text = (await readFile(path, 'utf8').catch(ignoreMissing)) ?? ''
    const events = decodeEvents(text)
    let recorded = events.length
    if (recorded > 0)
      await replay(events).catch(async error => {
        if (!isDataFault(error)) throw error
        recorded = await this.#replayEach(path, events)
      })
    await unlink(path).catch(() => undefined)
    this.#usage.bytes = Math.max(0, this.#usage.bytes - Buffer.byteLength(text))
    if (recorded > 0) count('replayed', recorded)
  }

  /**
   * Writes the events that PostgreSQL refuses for their content to a `.bad` file for the operator. Answers how many are
   * recorded.
   */
  async #replayEach(path: string, events: readonly SpooledEvent[]): Promise<number> {
    const { replay, log, count } = this.#options
    const refused: SpooledEvent[] = []
    for (const spooled of events)
      await replay([spooled]).catch(error => {
        if (!isDataFault(error)) throw error
        refused.push(spooled)
        log.error({ err: error, event_id: spooled.event.id }, 'a spooled event cannot be recorded')
      })
    if (refused.length > 0)
      await writeFile(path.replace(/ready$/, 'bad'), refused.map(encodeEvent).join(''), { mode: 0o600 })
    count('dropped', refused.length)
    return events.length - refused.length
  }
}
