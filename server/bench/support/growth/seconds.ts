// Single seconds of the growth bench: what the recorder and folding take when nearly every event is of another
// workspace, and one night of the upkeep.
import { dropOldEvents } from '#features/measurement/analytics/index.ts'
import { createRecorder, type NewEvent } from '#features/measurement/events/index.ts'
import { newRow } from '#kernel/base/ids.ts'
import { createLog } from '#kernel/base/log.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import type { Fixture } from '../bench.ts'
import { foldAll, yearEnd } from './events.ts'
import { peopleByTurns } from './fleet.ts'
import { walPosition, withoutTimeLimit } from './sizes.ts'

export interface ScatteredEvents {
  readonly recordMilliseconds: number
  readonly foldMilliseconds: number
  readonly walBytes: number
  readonly events: number
}

/**
 * The recorder of the service writes one event of each workspace, at most `count` of them, and folding moves them: the
 * costliest second, because folding takes a transaction for each workspace.
 */
export async function measureScattered({ db, dataDir }: Fixture, count: number): Promise<ScatteredEvents> {
  const metrics = { counter: () => () => undefined, gauge: () => undefined }
  const recorder = createRecorder({ db, log: createLog('silent'), dataDir, spoolLimitMb: 1, metrics })
  const people = await peopleByTurns(db, count)
  const seconds = 20
  let [recordMilliseconds, foldMilliseconds, walBytes] = [0, 0, 0]
  for (let second = -2; second < seconds; second++) {
    const recordedAt = new Date(yearEnd.getTime() - 60_000 + second * 1_000)
    const events = people.map((person, n): NewEvent => {
      const name = n % 12 === 0 ? '$click' : '$view'
      return { ...person, id: newRow().id, recordedAt, name, outcome: 'counted', country: 'DE' }
    })
    const walBefore = await walPosition(db)
    const began = performance.now()
    await Promise.all(events.map(event => recorder.record(event)))
    const recordTime = performance.now() - began
    const foldTime = await foldAll(db)
    if (second < 0) continue // the first seconds warm up
    recordMilliseconds += recordTime
    foldMilliseconds += foldTime
    walBytes += (await walPosition(db)) - walBefore
  }
  await recorder.close()
  return { recordMilliseconds, foldMilliseconds, walBytes, events: seconds * people.length }
}

export interface Night {
  readonly milliseconds: number
  readonly deletedEvents: number
}

/** One run of the upkeep that deletes what is older than the retention of each workspace. */
export async function measureNight(db: Pool, now: Date): Promise<Night> {
  const countEvents = async () => {
    const [row] = await withoutTimeLimit(db, tx =>
      tx.query<{ n: number }>(sql`select count(*)::int as n from events`),
    )
    return row?.n ?? 0
  }
  const before = await countEvents()
  const began = performance.now()
  await dropOldEvents(db, now)
  const milliseconds = performance.now() - began
  return { milliseconds, deletedEvents: before - (await countEvents()) }
}
