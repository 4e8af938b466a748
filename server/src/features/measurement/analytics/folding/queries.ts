// Folding: one statement moves events from the tail to their month table and adds them to the rollups.

import { takeFromTail } from '#features/measurement/events/index.ts'
import { type Db, empty, isLocked, join, raw, type Sql, sql } from '#kernel/db/db.ts'
import { locks } from '#kernel/db/locks.ts'
import { dimensions, workspaceDimension, workspaceKey } from '../dimension.ts'
import { isCounted, keyOf } from '../queries.ts'
import { dateOf, type Range, type Span, spans } from '../range.ts'

/** A transaction that moves, drops or recounts events holds this advisory lock until it ends. */
export const lockFolding = (tx: Db) => tx.query(sql`select pg_advisory_xact_lock(${locks.eventFolding})`)

/**
 * Waits up to 2 seconds for the lock; returns false after that. PostgreSQL grants the lock in request order, and a
 * recount takes it anew for each day, so folding gets it between two days of a recount. The lock is nearly always free,
 * and waiting for it takes five round trips, of the twelve that folding one event took.
 */
export async function tryLockFolding(tx: Db): Promise<boolean> {
  const lock = await tx.first<{ hasLock: boolean }>(
    sql`select pg_try_advisory_xact_lock(${locks.eventFolding}) as "hasLock"`,
  )
  if (lock?.hasLock) return true
  try {
    await tx.transaction(async inner => {
      await inner.query(sql`set local lock_timeout = '2s'`)
      await lockFolding(inner)
      await inner.query(sql`set local lock_timeout to default`)
    })
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}

/** Reads one entry of the key per workspace: after an outage the tail can have millions of events. */
export const workspacesWithTail = (db: Db) =>
  db.column<string>(sql`
    with recursive found as (
      (select workspace_id from event_tail order by workspace_id limit 1)
      union all
      select next.workspace_id
      from found
      cross join lateral (
        select t.workspace_id from event_tail t
        where t.workspace_id > found.workspace_id order by t.workspace_id limit 1) next
    )
    select workspace_id from found`)

interface FoldBatch {
  readonly count: number
  /** `recorded_at` of the newest event in the batch; null when the tail is empty. */
  readonly upTo: Date | null
  /** The first day of each month that the batch has events in. */
  readonly months: readonly string[]
}

export async function oldestInTail(tx: Db, workspaceId: string, maxEvents: number): Promise<FoldBatch> {
  const batch = await tx.first<FoldBatch>(sql`
    select count(*)::int as count, max(recorded_at) as "upTo",
      coalesce(array_agg(distinct to_char(recorded_at at time zone 'UTC', 'YYYY-MM-01')), '{}') as months
    from (
      select recorded_at from event_tail where workspace_id = ${workspaceId} order by recorded_at limit ${maxEvents}
    ) oldest`)
  return batch as FoldBatch
}

const everyDimension = join([workspaceDimension, ...dimensions].map(dimension => sql`(${dimension})`))

/**
 * Counts each event once per dimension in which it has a key. The dimensions are unnested in the column list, because
 * PostgreSQL sets up a lateral VALUES again for every row: folding took 1.5 times as long with it.
 */
const countsOf = (rows: Sql): Sql => sql`
  select dimension, key collate "C" as key, day,
    count(*) filter (where name = '$view') as views, count(*) filter (where name = '$click') as clicks
  from (
    select unnest(array[${join([workspaceDimension, ...dimensions])}]) as dimension,
      unnest(array[${workspaceKey}, ${join(dimensions.map(dimension => keyOf[dimension]))}]) as key,
      (recorded_at at time zone 'UTC')::date as day, name
    from ${rows} where ${isCounted}
  ) each
  where key is not null
  group by 1, 2, 3`

const countsByHour = (rows: Sql): Sql => sql`
  select date_trunc('hour', recorded_at, 'UTC') as hour, count(*) filter (where name = '$view') as views,
    count(*) filter (where name = '$click') as clicks
  from ${rows} where ${isCounted} group by 1`

/** The first day of the span that contains `day`. Spans are counted from 1970-01-01. */
const startOfSpan = sql`day - (day - date '1970-01-01') % span`

/** Skips an event that is already in its month table because it was recorded twice, so it is not counted again. */
export const skipDuplicates = sql`on conflict do nothing`

/** `select *` works because the tail has the same columns as the month tables, in the same order. */
export const fold = (tx: Db, workspaceId: string, upTo: Date, onConflict: Sql = empty) =>
  tx.query(sql`
    with taken as (${takeFromTail(workspaceId, upTo)}),
    moved as (
      insert into events select * from taken ${onConflict} returning *
    ),
    counted as (${countsOf(sql`moved`)}),
    spans as (
      insert into event_counts as c (workspace_id, dimension, key, span, day, views, clicks)
      select ${workspaceId}::uuid, dimension, key, span, ${startOfSpan}, sum(views), sum(clicks)
      from counted, (values ${join(spans.map(span => sql`(${raw(String(span))})`))}) as s (span)
      group by dimension, key, span, ${startOfSpan}
      on conflict (workspace_id, dimension, key, span, day)
        do update set views = c.views + excluded.views, clicks = c.clicks + excluded.clicks
    )
    insert into event_hours as h (workspace_id, hour, views, clicks)
    select ${workspaceId}::uuid, hour, views, clicks from (${countsByHour(sql`moved`)}) hours
    on conflict (workspace_id, hour)
      do update set views = h.views + excluded.views, clicks = h.clicks + excluded.clicks`)

/** Each month of events is one partition. */
const tableOf = (month: Date): Sql => raw(`events_${month.toISOString().slice(0, 7).replace('-', '_')}`)

const nextMonth = (month: Date): Date =>
  new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

export async function existingMonths(tx: Db): Promise<Date[]> {
  const rows = await tx.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by 1`)
  return rows.map(({ name }) => new Date(`${name.slice(7, 11)}-${name.slice(12, 14)}-01T00:00:00Z`))
}

/**
 * Creates the table separately and then attaches it: CREATE TABLE … PARTITION OF would wait for all readers of `events`
 * and block all later statements behind it. `fill` inserts initial rows before the indexes exist.
 */
export async function addMonth(tx: Db, month: Date, fill?: (table: Sql) => Promise<void>): Promise<void> {
  const table = tableOf(month)
  const [from, to] = [month, nextMonth(month)].map(boundary => raw(`'${boundary.toISOString()}'`))
  await tx.query(sql`create table ${table} (like events)`)
  await fill?.(table)
  await tx.query(sql`alter table events attach partition ${table} for values from (${from}) to (${to})`)
}

/** Waits up to 2 seconds for transactions that read the month. */
export async function dropMonth(tx: Db, month: Date): Promise<void> {
  await tx.query(sql`set local lock_timeout = '2s'`)
  await tx.query(sql`drop table ${tableOf(month)}`)
}

export const isMonthEmpty = async (tx: Db, month: Date): Promise<boolean> =>
  !(await tx.hasRows(sql`select 1 from ${tableOf(month)} limit 1`))

interface Retention {
  readonly workspace_id: string
  readonly days: number | null
}

export const listRetentions = (db: Db) =>
  db.query<Retention>(
    sql`select id as workspace_id, event_retention_days as days from workspaces order by id`,
  )

/** From now on, days before this one cannot be recounted, because their events are deleted. */
export const saveFirstKeptDay = (tx: Db, workspaceId: string, day: string) =>
  tx.query(sql`
    insert into event_marks as m (workspace_id, kind, day) values (${workspaceId}, 'kept_since', ${day})
    on conflict (workspace_id, kind) do update set day = greatest(m.day, excluded.day)`)

export async function deleteEvents(
  tx: Db,
  workspaceId: string,
  before: Date,
  maxEvents: number,
): Promise<number> {
  const rows = await tx.query(sql`
    delete from events where workspace_id = ${workspaceId} and recorded_at < ${before} and recorded_at <= (
      select max(recorded_at) from (
        select recorded_at from events where workspace_id = ${workspaceId} and recorded_at < ${before}
        order by recorded_at limit ${maxEvents}) oldest)
    returning 1`)
  return rows.length
}

export async function firstKeptDay(tx: Db, workspaceId: string): Promise<string> {
  const day = await tx.value<string>(sql`
    select day::text from event_marks where workspace_id = ${workspaceId} and kind = 'kept_since'`)
  return day ?? '1970-01-01'
}

/** The first day on or after `from` that has events or rollup rows; null when there is none. */
export async function nextDayWithEvents(tx: Db, workspaceId: string, from: string): Promise<string | null> {
  const day = await tx.value<string | null>(sql`
    select least(
      (select (min(recorded_at) at time zone 'UTC')::date from events
        where workspace_id = ${workspaceId} and recorded_at >= ${`${from}T00:00:00Z`}::timestamptz),
      (select (min(hour) at time zone 'UTC')::date from event_hours
        where workspace_id = ${workspaceId} and hour >= ${`${from}T00:00:00Z`}::timestamptz),
      (select min(first.day) from (values ${everyDimension}) as d (dimension), lateral (
        select min(day) as day from event_counts
        where workspace_id = ${workspaceId} and dimension = d.dimension and span = 1 and day >= ${from}::date) first)
    )::text as day`)
  return day ?? null
}

/** A rollup row that differs from the recount gets the recounted numbers; one without recounted events is deleted. */
const differs = sql`(t.views, t.clicks) is distinct from (k.views, k.clicks)`

/** Repairs the rollup rows of one span by `truth`. Returns how many rows were wrong. */
const repairSpan = (tx: Db, workspaceId: string, span: Span, day: string, truth: Sql) =>
  tx.number(
    sql`
      with truth as (${truth}),
      kept as (
        select c.* from (values ${everyDimension}) as d (dimension), event_counts c
        where c.workspace_id = ${workspaceId} and c.dimension = d.dimension and c.span = ${span} and c.day = ${day}::date
      ),
      wrong as (
        select dimension, key, t.views, t.clicks from truth t full join kept k using (dimension, key) where ${differs}
      ),
      removed as (
        delete from event_counts c using wrong w
        where c.workspace_id = ${workspaceId} and c.dimension = w.dimension and c.key = w.key and c.span = ${span}
          and c.day = ${day}::date and w.views is null
      ),
      repaired as (
        insert into event_counts as c (workspace_id, dimension, key, span, day, views, clicks)
        select ${workspaceId}::uuid, dimension, key, ${span}::smallint, ${day}::date, views, clicks from wrong where views is not null
        on conflict (workspace_id, dimension, key, span, day) do update set views = excluded.views, clicks = excluded.clicks
      )
      select count(*)::int as n from wrong`,
  )

/** The start of each span longer than one day that has rollup rows. */
export const listCountedSpans = (tx: Db, workspaceId: string) =>
  tx.query<{ span: Span; day: string }>(sql`
    select distinct span, day::text from event_counts where workspace_id = ${workspaceId} and span > 1`)

/** Recounts the rollups of one day from its events. */
export const recountDay = (tx: Db, workspaceId: string, from: Date, to: Date): Promise<number> => {
  const eventRows = sql`
    (select * from events where workspace_id = ${workspaceId} and recorded_at >= ${from} and recorded_at < ${to}) e`
  return repairSpan(tx, workspaceId, 1, dateOf(from), sql`${countsOf(eventRows)}`)
}

/** Recounts a longer span from the rollups of its days, which are never deleted. */
export const recountSpan = (tx: Db, workspaceId: string, span: Span, { from, to }: Range): Promise<number> =>
  repairSpan(
    tx,
    workspaceId,
    span,
    dateOf(from),
    sql`
      select c.dimension, c.key, sum(c.views)::bigint as views, sum(c.clicks)::bigint as clicks
      from (values ${everyDimension}) as d (dimension), event_counts c
      where c.workspace_id = ${workspaceId} and c.dimension = d.dimension and c.span = 1
        and c.day >= ${dateOf(from)}::date and c.day < ${dateOf(to)}::date
      group by 1, 2`,
  )

export const recountHours = (tx: Db, workspaceId: string, from: Date, to: Date): Promise<number> => {
  const eventRows = sql`
    (select * from events where workspace_id = ${workspaceId} and recorded_at >= ${from} and recorded_at < ${to}) e`
  return tx.number(
    sql`
      with truth as (${countsByHour(eventRows)}),
      kept as (
        select * from event_hours where workspace_id = ${workspaceId} and hour >= ${from} and hour < ${to}
      ),
      wrong as (select hour, t.views, t.clicks from truth t full join kept k using (hour) where ${differs}),
      removed as (
        delete from event_hours h using wrong w
        where h.workspace_id = ${workspaceId} and h.hour = w.hour and w.views is null
      ),
      repaired as (
        insert into event_hours as h (workspace_id, hour, views, clicks)
        select ${workspaceId}::uuid, hour, views, clicks from wrong where views is not null
        on conflict (workspace_id, hour) do update set views = excluded.views, clicks = excluded.clicks
      )
      select count(*)::int as n from wrong`,
  )
}
