// The year of the growth bench, part by part, measured at 10, 30 and 100 %.
import { type Pool, sql } from '#kernel/db/db.ts'
import type { Fixture } from '../bench.ts'
import { fillTail, foldAll, partCount } from './events.ts'
import type { FleetWorkspace } from './fleet.ts'
import { type RequestKind, requestTimes } from './requests.ts'
import { type TableSize, tableSizes, vacuumAll, walPosition, withoutTimeLimit } from './sizes.ts'

export interface Stage {
  /** Recorded from the beginning on. */
  readonly events: number
  /** Folded since the stage before, in this time and with these bytes of write-ahead log. */
  readonly newEvents: number
  readonly foldMilliseconds: number
  readonly walBytes: number
  readonly sizes: readonly TableSize[]
  readonly large: ReadonlyMap<RequestKind, number>
  readonly small: ReadonlyMap<RequestKind, number>
}

/** The requests are sent for the first of the workspaces (large) and the last one (small). */
export async function recordYear(
  fixture: Fixture,
  fleet: readonly FleetWorkspace[],
  events: number,
): Promise<Stage[]> {
  const { db } = fixture
  const measured = [fleet[0], fleet.at(-1)].filter(workspace => workspace !== undefined)
  const stages: Stage[] = []
  const perPart = Math.round(events / partCount)
  let [foldMilliseconds, walBytes, newEvents] = [0, 0, 0]
  for (let part = 1; part <= partCount; part++) {
    await fillTail(db, part - 1, perPart)
    const walBefore = await walPosition(db)
    foldMilliseconds += await foldAll(db)
    walBytes += (await walPosition(db)) - walBefore
    newEvents += perPart
    if (![10, 30, 100].includes(part)) continue
    await vacuumAll(db)
    const [large = new Map(), small = new Map()] = await requestTimes(fixture, measured, part / partCount)
    const sizes = await tableSizes(db)
    console.log(`  ${part} % at ${new Date().toISOString()}`)
    stages.push({ events: part * perPart, newEvents, foldMilliseconds, walBytes, sizes, large, small })
    ;[foldMilliseconds, walBytes, newEvents] = [0, 0, 0]
  }
  await checkCounts(db, perPart * partCount)
  return stages
}

/** Every event is in exactly one month, and the rollups have all that count. */
async function checkCounts(db: Pool, events: number): Promise<void> {
  const [row] = await withoutTimeLimit(db, tx =>
    tx.query<{ stored: number; counted: number; rollup: number }>(sql`
      select count(*)::int as stored, (count(*) filter (where outcome = 'counted' and name in ('$view', '$click')))::int as counted,
        (select sum(views + clicks) from event_counts where dimension = 'workspace' and span = 1)::int as rollup
      from events`),
  )
  const { stored = 0, counted = 0, rollup = 0 } = row ?? {}
  if (stored !== events || counted !== rollup)
    throw new Error(`${events} recorded, ${stored} stored; ${counted} to count, ${rollup} counted`)
}

export const sizeOf = ({ sizes }: Stage, table: string): TableSize =>
  sizes.find(size => size.table === table) ?? { table, rows: 0, heapBytes: 0, indexBytes: 0, depth: 0 }

export const totalBytes = (sizes: readonly TableSize[]): number =>
  sizes.reduce((sum, { heapBytes, indexBytes }) => sum + heapBytes + indexBytes, 0)

/** Of all tables whose rows come from events. */
export const eventBytes = (stage: Stage): number => totalBytes(eventTables.map(table => sizeOf(stage, table)))

export const eventTables = ['events', 'event_counts', 'event_hours', 'event_ids', 'visitor_traits'] as const
