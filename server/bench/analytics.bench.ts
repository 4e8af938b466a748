// Queries over a year of events. `npm run bench analytics` takes some minutes, mostly to create 11 million events.
import { exportEvents } from '#features/measurement/analytics/event-log/export.ts'
import { eventFilterOf } from '#features/measurement/analytics/event-log/rules.ts'
import { addMonth } from '#features/measurement/analytics/folding/queries.ts'
import { analyticsRoutes, foldTail, recount } from '#features/measurement/analytics/index.ts'
import { insertEvents, type NewEvent } from '#features/measurement/events/index.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Pool, raw, type Sql, sql } from '#kernel/db/db.ts'
import { type Bench, createFixture, type Figure, type Fixture, median, timeOf } from './support/bench.ts'

const [smallCount, mediumCount, largeCount] = [100_000, 1_000_000, 10_000_000]
const start = new Date('2025-11-16T00:00:00Z')
const end = new Date('2026-11-16T00:00:00Z')
const year = { start_date: '2025-11-16', end_date: '2026-11-15' }

const columns = sql`
  workspace_id, recorded_at, id, name, outcome, signature_id, campaign_id, teammate_id, email_id, anchor_id, country`

const ids = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${kind}0000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`)
const teammates = ids('c', 5_000)
const signatures = ids('a', 50)
const campaigns = ids('b', 20)
const countries =
  'GB DE US FR PT ES IT NL BE SE NO DK FI PL CZ AT CH IE GR TR JP CN IN BR MX CA AU NZ ZA NG'.split(' ')

/** A random entry of a list. The subselect makes PostgreSQL read the list once, not for every row. */
const oneOf = (list: readonly string[], type: 'uuid' | 'text'): Sql =>
  sql`(select ${list}::text[]::${raw(type)}[])[1 + floor(random() * ${list.length})::int]`

/** Events spread evenly over the time, in order of time: 91 % views, 8 % clicks, 1 % other events. */
const randomEvents = (workspaceId: string, from: Date, to: Date, count: number): Sql => sql`
  select ${workspaceId}::uuid, ${from}::timestamptz + (n + random()) * (${to}::timestamptz - ${from}::timestamptz) / (${count}::int + 1),
    gen_random_uuid(), case when kind < 0.91 then '$view' when kind < 0.99 then '$click' else 'signup' end,
    case when random() < 0.97 then 'counted' else 'bot' end, ${oneOf(signatures, 'uuid')},
    case when random() < 0.7 then ${oneOf(campaigns, 'uuid')} end, teammate, teammate,
    case when kind >= 0.91 then 'button-' || floor(kind * 1000)::int % 20 end, case when random() < 0.6 then ${oneOf(countries, 'text')} end
  from (select n, random() as kind, ${oneOf(teammates, 'uuid')} as teammate from generate_series(0, ${count}::int - 1) n offset 0) one`

/** Fills one table per month; its indexes are created after the inserts. Returns how long counting took. */
async function fill(
  db: Pool,
  amounts: readonly (readonly [workspaceId: string, count: number])[],
): Promise<number> {
  for (let month = new Date('2025-11-01T00:00:00Z'); month < end; ) {
    const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))
    const from = month < start ? start : month
    const to = next > end ? end : next
    await addMonth(db, month, async table => {
      for (const [workspaceId, count] of amounts) {
        const share = Math.round(
          (count * (to.getTime() - from.getTime())) / (end.getTime() - start.getTime()),
        )
        await db.query(sql`insert into ${table} (${columns}) ${randomEvents(workspaceId, from, to, share)}`)
      }
    })
    month = next
  }
  await addMonth(db, new Date('2026-12-01T00:00:00Z'))
  const countingTime = await timeOf(async () => {
    for (const [workspaceId] of amounts) await recount(db, workspaceId)
  })
  const client = await db.pg.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze events, event_counts, event_hours')
  client.release(true)
  return countingTime
}

const client = { method: 'GET', address: '', userAgent: '', headers: {} }
const emptyRequest = { body: undefined, isAnswerInTransaction: false, client }

async function callRoute(db: Pool, workspaceId: string, path: string, query: object): Promise<void> {
  const route = analyticsRoutes.find(route => route.path === `/v1/analytics/${path}`)
  const answer = await route?.handle({ db, by: operator(workspaceId), params: {}, query, ...emptyRequest })
  if (answer?.status !== 200) throw new Error(`no answer for ${path}`)
}

const paging = { page: 1, limit: 50 }
const overview = (db: Pool, id: string) => () => callRoute(db, id, 'overview', { ...year, interval: 'week' })
const byTeammate = (db: Pool, id: string) => () =>
  callRoute(db, id, 'breakdown', {
    ...year,
    ...paging,
    dimension: 'teammate',
    order_by: 'clickthrough_rate',
    order: 'desc',
  })

/** The newest views. */
const listViews = (db: Pool, id: string) => () =>
  callRoute(db, id, 'events', { ...year, ...paging, name: '$view', outcome: 'counted' })

const exportStart = (db: Pool, id: string) => async () => {
  const stream = await exportEvents(db, eventFilterOf(id, { ...year, outcome: 'any' }, null))
  let parts = 0
  for await (const _ of stream) if (++parts === 20) break
}

const countedEvents = (id: string): Sql => sql`
  from events where workspace_id = ${id} and recorded_at >= ${start} and recorded_at < ${end}
    and outcome = 'counted' and name in ('$view', '$click')`
const hits = sql`count(*) filter (where name = '$view') as views, count(*) filter (where name = '$click') as clicks`
const rawOverview = (db: Pool, id: string) => () =>
  db.query(
    sql`select date_trunc('week', recorded_at at time zone 'UTC') as period, ${hits} ${countedEvents(id)} group by 1`,
  )
const rawByTeammate = (db: Pool, id: string) => () =>
  db.query(sql`
    select *, round(clicks::numeric / nullif(views, 0), 6) as rate
    from (select teammate_id, ${hits} ${countedEvents(id)} group by 1) t order by rate desc nulls last, teammate_id limit 50`)

/** The median time of each function. They run alternately. */
async function mediansOf(rounds: number, works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  for (const work of works) await work()
  const all: number[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [n, work] of works.entries()) all[n]?.push(await timeOf(work))
  return all.map(median)
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** 20,000 incoming events within four seconds. */
function incomingEvents(workspaceId: string): NewEvent[] {
  const from = end.getTime() + Math.floor(Math.random() * 10 * 24 * 3600_000)
  return Array.from({ length: 20_000 }, (_, n) => {
    const teammateId = pick(teammates)
    return {
      workspaceId,
      id: newRow().id,
      recordedAt: new Date(from + n / 5),
      name: Math.random() < 0.92 ? '$view' : '$click',
      outcome: 'counted',
      signatureId: pick(signatures),
      campaignId: pick(campaigns),
      teammateId,
      emailId: teammateId,
      country: pick(countries),
    }
  })
}

/** Inserts events into the tail, a thousand at a time, and folds them into the month table and the rollups. */
async function recordAndFold(db: Pool, workspaceId: string, events: readonly NewEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += 1_000)
    await insertEvents(db, workspaceId, events.slice(at, at + 1_000))
  while (await foldTail(db));
}

/** The median time to record in each target. The targets run alternately. */
async function measureRecording(first: Target, second: Target): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 8; round++)
    for (const [n, { db, id }] of [first, second].entries()) {
      const events = incomingEvents(id)
      const time = await timeOf(() => recordAndFold(db, id, events))
      if (round > 0) times[n]?.push(time)
    }
  return [median(times[0]), median(times[1])]
}

interface Target {
  readonly db: Pool
  readonly id: string
}

async function bytesOf(db: Pool, table: string): Promise<{ all: number; heap: number }> {
  const row = await db.first<{ all: number; heap: number }>(sql`
    select sum(pg_total_relation_size(relid))::float8 as all, sum(pg_table_size(relid))::float8 as heap
    from (select relid from pg_partition_tree(${table}::regclass) where isleaf
      union all select oid from pg_class where oid = ${table}::regclass and relkind = 'r') t`)
  return row ?? { all: 0, heap: 0 }
}

async function storage(db: Pool): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const table of ['events', 'event_counts']) {
    const { all, heap } = await bytesOf(db, table)
    const rows = await db.number(sql`select count(*)::float8 from ${raw(table)}`)
    const note = `${Math.round(heap / rows)} without indexes; ${rows} rows, ${Math.round(all / 1e6)} MB`
    figures.push({ what: `bytes per row of ${table}`, value: all / rows, note })
  }
  return figures
}

async function run(): Promise<Figure[]> {
  const beds: readonly Fixture[] = [await createFixture(), await createFixture()]
  const [large, small] = beds as [Fixture, Fixture]
  try {
    const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
    const { id: medium } = await createWorkspace(large.db, { name: 'Medium', ...owner })
    const big = large.workspaceId
    const amounts = [
      [big, largeCount],
      [medium, mediumCount],
    ] as const
    const countingTime = await fill(large.db, amounts)
    await fill(small.db, [[small.workspaceId, smallCount]])
    const { db } = large
    const [overviewBig = 0, overviewMedium = 1] = await mediansOf(21, [
      overview(db, big),
      overview(db, medium),
    ])
    const [teammateBig = 0, teammateMedium = 1] = await mediansOf(21, [
      byTeammate(db, big),
      byTeammate(db, medium),
    ])
    const [listBig = 0, listMedium = 1] = await mediansOf(21, [listViews(db, big), listViews(db, medium)])
    const [exportBig = 0, exportMedium = 1] = await mediansOf(5, [
      exportStart(db, big),
      exportStart(db, medium),
    ])
    const [overviewRaw = 0, teammateRaw = 0] = await mediansOf(3, [
      rawOverview(db, big),
      rawByTeammate(db, big),
    ])
    const [foldBig, foldSmall] = await measureRecording(
      { db, id: big },
      { db: small.db, id: small.workspaceId },
    )
    const ms = (value: number) => `${value.toFixed(1)} ms`
    return [
      {
        what: 'counting 11 million events anew, events/s',
        value: ((largeCount + mediumCount) / countingTime) * 1_000,
        note: `${Math.round(countingTime / 1_000)} s`,
      },
      {
        what: 'overview by week over a year of 10 million events, times faster than over the events',
        value: overviewRaw / overviewBig,
        limit: { least: 50 },
        note: `${ms(overviewBig)} against ${ms(overviewRaw)}`,
      },
      {
        what: 'breakdown by teammate ordered by click-through rate, the same',
        value: teammateRaw / teammateBig,
        limit: { least: 50 },
        note: `${ms(teammateBig)} against ${ms(teammateRaw)}`,
      },
      {
        what: 'overview at 10 million against 1 million',
        value: overviewBig / overviewMedium,
        limit: { most: 1.5 },
      },
      {
        what: 'breakdown at 10 million against 1 million',
        value: teammateBig / teammateMedium,
        limit: { most: 1.5 },
        note: `${ms(teammateBig)} against ${ms(teammateMedium)}`,
      },
      {
        what: 'the newest 50 views, and how many there are, at 10 million against 1 million',
        value: listBig / listMedium,
        limit: { most: 1.5 },
        note: `${ms(listBig)} against ${ms(listMedium)}`,
      },
      {
        what: 'the first 20,000 lines of an export, the same',
        value: exportBig / exportMedium,
        limit: { most: 1.5 },
        note: `${ms(exportBig)} against ${ms(exportMedium)}`,
      },
      {
        what: 'recording and folding 20,000 events at 10 million against 100,000',
        value: foldBig / foldSmall,
        limit: { most: 1.3 },
        note: `${ms(foldBig)} against ${ms(foldSmall)}: ${Math.round(20_000 / (foldBig / 1_000))} events/s`,
      },
      ...(await storage(db)),
    ]
  } finally {
    for (const fixture of beds) await fixture.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'analytics', run }]
