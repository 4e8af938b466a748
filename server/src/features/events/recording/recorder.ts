// Whoever records goes through here: views and clicks by COPY, what is told from outside by a few statements per group.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Db, Pool } from '#kernel/db.ts'
import type { Log } from '#kernel/log.ts'
import type { Metrics } from '#kernel/metrics.ts'
import { type DedicatedConnection, isSessionGone, openDedicatedConnection } from '#kernel/session.ts'
import type { NewEvent, Recorder } from '../event.ts'
import { copyEvents, insertOnce } from '../queries.ts'
import { isSingleWrite, recordSubmissions, type Submission } from '../rules.ts'
import { copyRow } from './copy-rows.ts'
import { createGroupCommit, type GroupSize } from './group-commit.ts'
import { createSpool, type SpooledEvent } from './spool.ts'

export interface EventRecorder extends Recorder {
  /** What was told from outside; answers after the commit. */
  submit(submissions: readonly Submission[]): Promise<void>
  close(): Promise<void>
}

export interface RecorderOptions {
  readonly db: Pool
  readonly log: Log
  readonly dataDir: string
  readonly spoolLimitMb: number
  readonly metrics: Pick<Metrics, 'counter' | 'gauge'>
  /** After commits, at most once a second. */
  readonly recorded?: () => void
}

const megabyte = 1024 * 1024
/** Views and clicks, and what is told, each. */
const atMost = { events: 20_000, bytes: 32 * megabyte, perGroup: 2_000 }
const perReplay = 1_000

interface Row {
  readonly event: NewEvent
  readonly text: string
}

/** At most once a second, and once more after the last time. */
function seldom(tell: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      tell()
    }, 1_000).unref()
  }
}

/** Whether it came to a good end within so many milliseconds. */
function isDone(work: Promise<void>, patience: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, patience, false)
  work.then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}

/**
 * What is told takes several statements per group, so a second one can be on its way meanwhile. Rows that are copied gain
 * nothing from that: their groups would only be smaller.
 */
const atOnce = 2

function openLanes(db: Pool): DedicatedConnection {
  const idle = Array.from({ length: atOnce }, () => openDedicatedConnection(db))
  const all = [...idle]
  return {
    async run(work) {
      const lane = idle.pop()
      if (!lane) throw new Error('more groups at once than lanes')
      return lane.run(work).finally(() => idle.push(lane))
    },
    end: async () => void (await Promise.all(all.map(lane => lane.end()))),
  }
}

export function createRecorder(options: RecorderOptions): EventRecorder {
  const { db, log, metrics } = options
  const count = metrics.counter('signoff_events_total', 'Events, by what became of them.', 'state')
  const tell = seldom(options.recorded ?? (() => undefined))
  const committed = (items: readonly unknown[]) => {
    count('committed', items.flat().length)
    tell()
  }
  const copying = openDedicatedConnection(db)
  const telling = openLanes(db)

  const rows = createGroupCommit<Row>({
    atMost,
    committed,
    commit: (items, sent) =>
      copying.run(async lane => {
        sent(lane.session)
        const byWorkspace = [...Map.groupBy(items, item => item.event.workspaceId).values()]
        // A statement alone is a transaction, and two round trips less.
        const copy = (group: readonly Row[]) => copyEvents(lane, group.map(row => row.text).join(''))
        if (byWorkspace[0] && byWorkspace.length === 1) return copy(byWorkspace[0])
        await lane.transaction(async () => {
          for (const group of byWorkspace) await copy(group)
        })
      }),
  })
  const submissions = createGroupCommit<readonly Submission[]>({
    atMost,
    atOnce,
    commit: (items, sent) =>
      telling.run(lane => {
        sent(lane.session)
        const byWorkspace = Map.groupBy(items.flat(), one => one.workspaceId)
        const record = async (tx: Db) => {
          for (const [workspaceId, group] of byWorkspace) await recordSubmissions(tx, workspaceId, group)
        }
        return byWorkspace.size === 1 && items.flat().every(isSingleWrite)
          ? record(lane)
          : lane.transaction(record)
      }),
    committed,
  })
  const spool = createSpool({
    folder: join(options.dataDir, 'spool'),
    limit: options.spoolLimitMb * megabyte,
    log,
    count,
    async replay(kept) {
      for (let from = 0; from < kept.length; from += perReplay)
        await replay(kept.slice(from, from + perReplay))
      tell()
    },
  })
  metrics.gauge(
    'signoff_events_waiting',
    'Events that wait for their commit.',
    () => rows.waiting() + submissions.waiting(),
  )
  metrics.gauge('signoff_events_spool_bytes', 'Events that wait on disk, in bytes.', spool.bytes)

  async function replay(kept: readonly SpooledEvent[]): Promise<void> {
    const sessions = new Set(kept.flatMap(one => one.session ?? []))
    // Of our own sessions we know what became of what was sent; of lost ones PostgreSQL does.
    for (const session of sessions) await rows.settled(session)
    const lost = [...sessions].filter(session => rows.settled(session) === null)
    await db.transaction(async tx => {
      for (const session of lost)
        if (!(await isSessionGone(tx, session))) throw new Error(`${session} goes on`)
      const byWorkspace = Map.groupBy(kept, one => one.event.workspaceId)
      for (const [workspaceId, group] of byWorkspace)
        await insertOnce(
          tx,
          workspaceId,
          group.map(one => one.event),
        )
    })
  }

  const add = (event: NewEvent) => {
    const text = copyRow(event)
    // Nearly all of it is ASCII; counting its bytes would take as long as writing it.
    return rows.add({ event, text }, { events: 1, bytes: text.length })
  }

  const refused = (error: unknown): never => {
    count('refused')
    throw error
  }

  return {
    async record(event) {
      try {
        await add(event).done
      } catch (error) {
        refused(error)
      }
    },
    async recordWithin(patience, event) {
      let entry: ReturnType<typeof add>
      try {
        entry = add(event)
      } catch {
        return spool.keep({ event, session: null })
      }
      if (await isDone(entry.done, patience)) return true
      rows.withdraw(entry)
      return spool.keep({ event, session: entry.session })
    },
    async submit(submitted) {
      try {
        await submissions.add(submitted, sizeOf(submitted)).done
      } catch (error) {
        refused(error)
      }
    },
    async close() {
      await Promise.all([rows.close(700), submissions.close(700)])
      await setImmediate() // whoever was refused may still turn to the disk
      await spool.close()
      await Promise.all([copying.end(), telling.end()])
    },
  }
}

const sizeOf = (submitted: readonly Submission[]): GroupSize => ({
  events: submitted.length,
  bytes: submitted.reduce((sum, { told }) => sum + Buffer.byteLength(JSON.stringify(told)), 0),
})
