// All events are recorded through here: views and clicks by COPY, submissions of the API and of web pages by a few
// statements per group. What cannot be committed in time goes to the spool.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Metrics } from '#kernel/api/metrics.ts'
import type { Log } from '#kernel/base/log.ts'
import {
  type DedicatedConnection,
  isDatabaseSessionGone,
  openDedicatedConnection,
} from '#kernel/db/database-session.ts'
import type { Db, Pool } from '#kernel/db/db.ts'
import type { NewEvent, Recorder } from '../event.ts'
import { copyEvents, insertUnlessRecorded } from '../queries.ts'
import { isSingleWrite, recordSubmissions, type Submission } from '../rules.ts'
import { copyRow } from './copy-rows.ts'
import { GroupCommit, type GroupEntry, type GroupOptions, type GroupSize } from './group-commit.ts'
import { Spool } from './spool.ts'
import type { SpooledEvent } from './spool-segment.ts'

export interface EventRecorder extends Recorder {
  /** Records events of the API or of web pages. Answers after the commit. */
  submit(submissions: readonly Submission[]): Promise<void>
  close(): Promise<void>
}

interface RecorderOptions {
  readonly db: Pool
  readonly log: Log
  readonly dataDir: string
  readonly spoolLimitMb: number
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>
  /** Called after commits, at most once a second. */
  readonly onRecord?: () => void
}

const megabyte = 1024 * 1024
/** For views and clicks, and once more for submissions. */
const limits = { events: 20_000, bytes: 32 * megabyte, perGroup: 2_000 }
const eventsPerReplay = 1_000

/**
 * A group of submissions takes several statements, so a second group can be committed at the same time. Rows that are
 * copied gain nothing from that: their groups would only be smaller.
 */
const submissionConcurrency = 2

interface Row {
  readonly event: NewEvent
  readonly text: string
}

/** Calls at most once a second, and once more after the last request to call. */
function throttled(call: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      call()
    }, 1_000).unref()
  }
}

/** True if the work has succeeded within so many milliseconds. */
function isDone(work: Promise<void>, timeoutMilliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, timeoutMilliseconds, false)
  work.then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}

/** Several connections as one: each piece of work takes an idle one. */
function openConnections(db: Pool, count: number): DedicatedConnection {
  const idle = Array.from({ length: count }, () => openDedicatedConnection(db))
  const all = [...idle]
  return {
    async run(work) {
      const connection = idle.pop()
      if (!connection) throw new Error('more groups at once than connections')
      return connection.run(work).finally(() => idle.push(connection))
    },
    end: async () => void (await Promise.all(all.map(connection => connection.end()))),
  }
}

const commitRows =
  (connection: DedicatedConnection): GroupOptions<Row>['commit'] =>
  (rows, onSent) =>
    connection.run(async db => {
      onSent(db.session)
      const byWorkspace = [...Map.groupBy(rows, row => row.event.workspaceId).values()]
      // A statement alone is a transaction, and saves two round trips.
      const copy = (group: readonly Row[]) => copyEvents(db, group.map(row => row.text).join(''))
      if (byWorkspace[0] && byWorkspace.length === 1) return copy(byWorkspace[0])
      await db.transaction(async () => {
        for (const group of byWorkspace) await copy(group)
      })
    })

const commitSubmissions =
  (connection: DedicatedConnection): GroupOptions<readonly Submission[]>['commit'] =>
  (items, onSent) =>
    connection.run(db => {
      onSent(db.session)
      const byWorkspace = Map.groupBy(items.flat(), submission => submission.workspaceId)
      const record = async (tx: Db) => {
        for (const [workspaceId, group] of byWorkspace) await recordSubmissions(tx, workspaceId, group)
      }
      return byWorkspace.size === 1 && items.flat().every(isSingleWrite) ? record(db) : db.transaction(record)
    })

class GroupedRecorder implements EventRecorder {
  readonly #db: Pool
  readonly #count: (state: string, by?: number) => void
  readonly #notify: () => void
  readonly #connections: readonly DedicatedConnection[]
  readonly #rows: GroupCommit<Row>
  readonly #submissions: GroupCommit<readonly Submission[]>
  readonly #spool: Spool

  constructor({
    db,
    log,
    metrics,
    dataDir,
    spoolLimitMb,
    onRecord: recorded = () => undefined,
  }: RecorderOptions) {
    this.#db = db
    this.#count = metrics.counter('signoff_events_total', 'Events, by what became of them.', 'state')
    this.#notify = throttled(recorded)
    const onCommitted = (items: readonly unknown[]) => {
      this.#count('committed', items.flat().length)
      this.#notify()
    }
    const copying = openDedicatedConnection(db)
    const submitting = openConnections(db, submissionConcurrency)
    this.#connections = [copying, submitting]
    this.#rows = new GroupCommit({ limits, commit: commitRows(copying), onCommitted })
    this.#submissions = new GroupCommit({
      limits,
      concurrency: submissionConcurrency,
      commit: commitSubmissions(submitting),
      onCommitted,
    })
    this.#spool = new Spool({
      folder: join(dataDir, 'spool'),
      limit: spoolLimitMb * megabyte,
      log,
      count: this.#count,
      replay: events => this.#replay(events),
    })
    metrics.gauge(
      'signoff_events_waiting',
      'Events that wait for their commit.',
      () => this.#rows.waiting + this.#submissions.waiting,
    )
    const help = 'Events that wait on disk, in bytes.'
    metrics.gauge('signoff_events_spool_bytes', help, () => this.#spool.bytes)
  }

  async record(event: NewEvent): Promise<void> {
    try {
      await this.#add(event).done
    } catch (error) {
      this.#refuse(error)
    }
  }

  async recordWithin(timeoutMilliseconds: number, event: NewEvent): Promise<boolean> {
    let entry: GroupEntry<Row>
    try {
      entry = this.#add(event)
    } catch {
      return this.#spool.keep({ event, session: null })
    }
    if (await isDone(entry.done, timeoutMilliseconds)) return true
    this.#rows.withdraw(entry)
    return this.#spool.keep({ event, session: entry.session })
  }

  async submit(submissions: readonly Submission[]): Promise<void> {
    try {
      await this.#submissions.add(submissions, sizeOf(submissions)).done
    } catch (error) {
      this.#refuse(error)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#rows.close(700), this.#submissions.close(700)])
    await setImmediate() // calls of `recordWithin` that were refused just now can still reach the spool
    await this.#spool.close()
    await Promise.all(this.#connections.map(connection => connection.end()))
  }

  #add(event: NewEvent): GroupEntry<Row> {
    const text = copyRow(event)
    // Nearly all of it is ASCII; counting its bytes would take as long as making it.
    return this.#rows.add({ event, text }, { events: 1, bytes: text.length })
  }

  #refuse(error: unknown): never {
    this.#count('refused')
    throw error
  }

  async #replay(events: readonly SpooledEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += eventsPerReplay)
      await this.#replayPart(events.slice(from, from + eventsPerReplay))
    this.#notify()
  }

  async #replayPart(events: readonly SpooledEvent[]): Promise<void> {
    const sessions = new Set(events.flatMap(({ session }) => session ?? []))
    // For a session of this process we know whether its group was committed; for a lost session PostgreSQL knows.
    for (const session of sessions) await this.#rows.settled(session)
    const lost = [...sessions].filter(session => this.#rows.settled(session) === null)
    await this.#db.transaction(async tx => {
      for (const session of lost)
        if (!(await isDatabaseSessionGone(tx, session)))
          throw new Error(`session ${session} has not ended yet`)
      const byWorkspace = Map.groupBy(events, ({ event }) => event.workspaceId)
      for (const [workspaceId, group] of byWorkspace)
        await insertUnlessRecorded(
          tx,
          workspaceId,
          group.map(({ event }) => event),
        )
    })
  }
}

export const createRecorder = (options: RecorderOptions): EventRecorder => new GroupedRecorder(options)

const sizeOf = (submissions: readonly Submission[]): GroupSize => ({
  events: submissions.length,
  bytes: submissions.reduce((sum, { input }) => sum + Buffer.byteLength(JSON.stringify(input)), 0),
})
