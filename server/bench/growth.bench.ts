// A year of a large installation, in small: `npm run bench growth` makes 1/10,000 of a million teammates and a billion
// events, `npm run bench growth 1/100` takes 15 to 30 minutes. docs/internals/scale.md has the figures.
import { changeEventRetention } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { type Bench, createFixture, type Figure } from './support/bench.ts'
import { partCount } from './support/growth/events.ts'
import { createFleet, type FleetWorkspace, fullSize, workspaceSizes } from './support/growth/fleet.ts'
import { printDimensions, printIndexes, printStages, printTables, thousands } from './support/growth/print.ts'
import type { RequestKind } from './support/growth/requests.ts'
import { measureNight, measureScattered, type Night, type ScatteredEvents } from './support/growth/seconds.ts'
import { addPageInspection, countsByDimension, hotIndexSizes, tableSizes } from './support/growth/sizes.ts'
import { eventBytes, recordYear, type Stage, sizeOf, totalBytes } from './support/growth/stages.ts'

/** Events of the busiest second: ten times the average of the year. */
const peakPerSecond = Math.ceil((10 * fullSize.events) / (365 * 24 * 3600))
const fullWorkspaces = workspaceSizes(fullSize.teammates).length

/** An argument such as 1/100; 1/10,000 without one. */
function sizeDivisor(): number {
  const [divisor] = process.argv.flatMap(argument => /^1\/([1-9]\d*)$/.exec(argument)?.[1] ?? [])
  return Number(divisor ?? 10_000)
}

interface Nights {
  /** Whole months expire. */
  readonly months: Night
  /** A week expires, in the middle of a month. */
  readonly week: Night
  /** Nothing expires. */
  readonly idle: Night
}

async function run(): Promise<Figure[]> {
  const divisor = sizeDivisor()
  const events = Math.round(fullSize.events / divisor / partCount) * partCount
  const fixture = await createFixture()
  const { db } = fixture
  try {
    await addPageInspection(db)
    const emptyBytes = totalBytes(await tableSizes(db))
    const fleet = await createFleet(db, Math.round(fullSize.teammates / divisor))
    const teammates = fleet.reduce((sum, workspace) => sum + workspace.teammates, 0)
    console.log(
      `  1/${thousands(divisor)}: ${thousands(teammates)} teammates in ${fleet.length} workspaces (${thousands(fullWorkspaces)} at full size)\n`,
    )
    const stages = await recordYear(fixture, fleet, events)
    const [first, last] = [stages[0], stages.at(-1)]
    if (!first || !last) throw new Error('nothing was measured')
    printStages(stages)
    printTables(last, divisor)
    printDimensions(await countsByDimension(db), last.events)
    printIndexes(await hotIndexSizes(db, 'events_2026_10'))
    const scattered = await measureScattered(fixture, Math.min(peakPerSecond, fleet.length))
    // Also for the workspace of the fixture: one workspace that keeps its events keeps the tables of all months.
    for (const id of [fixture.workspaceId, ...fleet.map(workspace => workspace.id)])
      await changeEventRetention(db, operator(id), 90)
    const nights = {
      months: await measureNight(db, new Date('2026-10-30T02:41:00Z')),
      week: await measureNight(db, new Date('2026-11-06T02:41:00Z')),
      idle: await measureNight(db, new Date('2026-11-06T02:41:00Z')),
    }
    return [
      ...storageFigures(last, teammates, emptyBytes),
      ...foldingFigures(last, scattered),
      ...requestFigures(first, last),
      ...retentionFigures(nights, fleet),
    ]
  } finally {
    await fixture.end()
  }
}

function storageFigures(last: Stage, teammates: number, emptyBytes: number): Figure[] {
  const tail = totalBytes([sizeOf(last, 'event_tail')])
  const peopleBytes = totalBytes(last.sizes) - eventBytes(last) - tail - emptyBytes
  return [
    {
      what: 'rows of event_counts per event',
      value: sizeOf(last, 'event_counts').rows / last.events,
      limit: { most: 1 },
    },
    {
      what: 'bytes per event, rollups and indexes included',
      value: eventBytes(last) / last.events,
      limit: { most: 900 },
    },
    { what: 'kB per teammate, without events', value: peopleBytes / teammates / 1_000, limit: { most: 50 } },
    { what: 'MB of the empty tail, which keeps the size of its largest backlog', value: tail / 1e6 },
  ]
}

function foldingFigures(
  last: Stage,
  { events, recordMilliseconds, foldMilliseconds, walBytes }: ScatteredEvents,
): Figure[] {
  const foldTime = foldMilliseconds / events
  const recordTime = recordMilliseconds / events
  return [
    {
      what: `folding in full batches, times the peak of ${peakPerSecond} events/s`,
      value: (last.newEvents / last.foldMilliseconds) * (1_000 / peakPerSecond),
      limit: { least: 10 },
    },
    {
      what: 'folding one event of each workspace at full size, in seconds: the most that rollups are behind',
      value: (foldTime * fullWorkspaces) / 1_000,
      limit: { most: 300 },
      note: `${foldTime.toFixed(2)} ms each, ${thousands(walBytes / events)} bytes of WAL with recording`,
    },
    {
      what: 'recording a second of the peak, each event of another workspace, in ms',
      value: recordTime * peakPerSecond,
      limit: { most: 500 },
      note: `${recordTime.toFixed(2)} ms each`,
    },
  ]
}

/** Requests whose time must not depend on how many events there are; those of a year depend on its days. */
const steadyRequests: readonly RequestKind[] = [
  'list of teammates',
  'overview, 30 days',
  'newest views, the year',
]

const requestFigures = (first: Stage, last: Stage): Figure[] =>
  steadyRequests.map(kind => {
    const [before = 1, after = 0] = [first, last].map(({ large }) => large.get(kind))
    const [idleBefore = 1, idleAfter = 1] = [first, last].map(({ large }) =>
      large.get('empty list of folders'),
    )
    return {
      what: `${kind}: large workspace, in empty lists, with the year against a tenth of it`,
      value: after / idleAfter / (before / idleBefore),
      limit: { most: 2 },
      note: `${after.toFixed(1)} ms against ${before.toFixed(1)} ms`,
    }
  })

function retentionFigures({ months, week, idle }: Nights, fleet: readonly FleetWorkspace[]): Figure[] {
  const deletionRate = week.deletedEvents / Math.max(1, week.milliseconds - idle.milliseconds)
  const perWorkspace = idle.milliseconds / fleet.length
  const seconds = (fullSize.events / 365 / deletionRate + perWorkspace * fullWorkspaces) / 1_000
  return [
    {
      what: 'dropping whole months, million events/s',
      value: months.deletedEvents / months.milliseconds / 1_000,
      note: `${thousands(months.deletedEvents)} events in ${thousands(months.milliseconds)} ms`,
    },
    {
      what: 'the nightly upkeep at full size, which deletes a day row by row, in minutes',
      value: seconds / 60,
      limit: { most: 60 },
      note: `${thousands(deletionRate * 1_000)} events/s, and ${perWorkspace.toFixed(1)} ms for each workspace`,
    },
  ]
}

export const benches: readonly Bench[] = [{ name: 'growth', run }]
