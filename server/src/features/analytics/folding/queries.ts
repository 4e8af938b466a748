// Events leave the tail for the month they belong to, and are added to the rollups: all of it in one statement.

import { takeFromTail } from '#features/events/index.ts'
import { type Db, empty, isLocked, join, raw, type Sql, sql } from '#kernel/db.ts'
import { locks } from '#kernel/locks.ts'
import { dimensions, whole, wholeKey } from '../dimension.ts'
import { isCounted, keyOf } from '../queries.ts'
import { dateOf, type Range, type Span, spans } from '../range.ts'

/** Whoever moves, drops or recounts events holds this until the end of the transaction. */
export const lockFolding = (tx: Db) => tx.query(sql`select pg_advisory_xact_lock(${locks.eventFolding})`)

/** Waits a little. Turns come in the order of asking: a recount, which asks for each day anew, lets others in between. */
export async function tryLockFolding(tx: Db): Promise<boolean> {
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

export async function workspacesWithTail(db: Db): Promise<string[]> {
  const rows = await db.query<{ workspace_id: string }>(sql`select distinct workspace_id from event_tail`)
  return rows.map(row => row.workspace_id)
}

export interface FoldBatch {
  readonly count: number
  /** Of the last one; null when there is none. */
  readonly upTo: Date | null
  /** The first days of the months they belong to. */
  readonly months: readonly string[]
}

export async function oldestInTail(tx: Db, workspaceId: string, most: number): Promise<FoldBatch> {
  const [batch] = await tx.query<FoldBatch>(sql`
    select count(*)::int as count, max(recorded_at) as "upTo",
      coalesce(array_agg(distinct to_char(recorded_at at time zone 'UTC', 'YYYY-MM-01')), '{}') as months
    from (
      select recorded_at from event_tail where workspace_id = ${workspaceId} order by recorded_at limit ${most}
    ) oldest`)
  return batch as FoldBatch
}

const everyDimension = join([whole, ...dimensions].map(dimension => sql`(${dimension})`))

/**
 * What is counted, once for each dimension that it has a key in. In the list of columns, because PostgreSQL prepares a
 * lateral VALUES anew for every row: folding took half as long again.
 */
const counted = (rows: Sql): Sql => sql`
  select dimension, key collate "C" as key, day,
    count(*) filter (where name = '$view') as views, count(*) filter (where name = '$click') as clicks
  from (
    select unnest(array[${join([whole, ...dimensions])}]) as dimension,
      unnest(array[${wholeKey}, ${join(dimensions.map(dimension => keyOf[dimension]))}]) as key,
      (recorded_at at time zone 'UTC')::date as day, name
    from ${rows} where ${isCounted}
  ) each
  where key is not null
  group by 1, 2, 3`

const countedByHour = (rows: Sql): Sql => sql`
  select date_trunc('hour', recorded_at, 'UTC') as hour, count(*) filter (where name = '$view') as views,
    count(*) filter (where name = '$click') as clicks
  from ${rows} where ${isCounted} group by 1`

/** Of which span of so many days a day is. */
const startOfSpan = sql`day - (day - date '1970-01-01') % span`

/** What is in its month already, because it was recorded twice, is not counted again. */
export const leaveOut = sql`on conflict do nothing`

/** The tail has the columns of the months, in their order. */
export const fold = (tx: Db, workspaceId: string, upTo: Date, repeated: Sql = empty) =>
  tx.query(sql`
    with taken as (${takeFromTail(workspaceId, upTo)}),
    moved as (
      insert into events select * from taken ${repeated} returning *
    ),
    counted as (${counted(sql`moved`)}),
    spans as (
      insert into event_counts as c (workspace_id, dimension, key, span, day, views, clicks)
      select ${workspaceId}::uuid, dimension, key, span, ${startOfSpan}, sum(views), sum(clicks)
      from counted, (values ${join(spans.map(span => sql`(${raw(String(span))})`))}) as s (span)
      group by dimension, key, span, ${startOfSpan}
      on conflict (workspace_id, dimension, key, span, day)
        do update set views = c.views + excluded.views, clicks = c.clicks + excluded.clicks
    )
    insert into event_hours as h (workspace_id, hour, views, clicks)
    select ${workspaceId}::uuid, hour, views, clicks from (${countedByHour(sql`moved`)}) hours
    on conflict (workspace_id, hour)
      do update set views = h.views + excluded.views, clicks = h.clicks + excluded.clicks`)

/** Events of a month are one table. */
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
 * Made beside and attached: PARTITION OF would wait for all who read, and make all others wait behind it. What is to be
 * in it from the beginning is put there by `fill`, before there are indexes.
 */
export async function addMonth(tx: Db, month: Date, fill?: (table: Sql) => Promise<void>): Promise<void> {
  const table = tableOf(month)
  const [from, to] = [month, nextMonth(month)].map(one => raw(`'${one.toISOString()}'`))
  await tx.query(sql`create table ${table} (like events)`)
  await fill?.(table)
  await tx.query(sql`alter table events attach partition ${table} for values from (${from}) to (${to})`)
}

/** Whoever reads just now is waited for, a little. */
export async function dropMonth(tx: Db, month: Date): Promise<void> {
  await tx.query(sql`set local lock_timeout = '2s'`)
  await tx.query(sql`drop table ${tableOf(month)}`)
}

export async function isMonthEmpty(tx: Db, month: Date): Promise<boolean> {
  return (await tx.query(sql`select from ${tableOf(month)} limit 1`)).length === 0
}

export interface Retention {
  readonly workspace_id: string
  readonly days: number | null
}

export const retentions = (db: Db): Promise<Retention[]> =>
  db.query(sql`select id as workspace_id, event_retention_days as days from workspaces order by id`)

/** From now on, what happened before this day cannot be recounted. */
export const markKeptSince = (tx: Db, workspaceId: string, day: string) =>
  tx.query(sql`
    insert into event_marks as m (workspace_id, kind, day) values (${workspaceId}, 'kept_since', ${day})
    on conflict (workspace_id, kind) do update set day = greatest(m.day, excluded.day)`)

export async function deleteEvents(tx: Db, workspaceId: string, before: Date, most: number): Promise<number> {
  const rows = await tx.query(sql`
    delete from events where workspace_id = ${workspaceId} and recorded_at < ${before} and recorded_at <= (
      select max(recorded_at) from (
        select recorded_at from events where workspace_id = ${workspaceId} and recorded_at < ${before}
        order by recorded_at limit ${most}) oldest)
    returning 1`)
  return rows.length
}

export async function keptSince(tx: Db, workspaceId: string): Promise<string> {
  const [row] = await tx.query<{ day: string }>(sql`
    select day::text from event_marks where workspace_id = ${workspaceId} and kind = 'kept_since'`)
  return row?.day ?? '1970-01-01'
}

/** The first day from this one on that has events, or anything counted; null when none has. */
export async function nextDayWithEvents(tx: Db, workspaceId: string, from: string): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>(sql`
    select least(
      (select (min(recorded_at) at time zone 'UTC')::date from events
        where workspace_id = ${workspaceId} and recorded_at >= ${`${from}T00:00:00Z`}::timestamptz),
      (select (min(hour) at time zone 'UTC')::date from event_hours
        where workspace_id = ${workspaceId} and hour >= ${`${from}T00:00:00Z`}::timestamptz),
      (select min(first.day) from (values ${everyDimension}) as d (dimension), lateral (
        select min(day) as day from event_counts
        where workspace_id = ${workspaceId} and dimension = d.dimension and span = 1 and day >= ${from}::date) first)
    )::text as day`)
  return row?.day ?? null
}

async function differing(tx: Db, statement: Sql): Promise<number> {
  const [row] = await tx.query<{ n: number }>(statement)
  return row?.n ?? 0
}

/** A row that differs from the truth gets its numbers; one that has no truth goes. */
const differs = sql`(t.views, t.clicks) is distinct from (k.views, k.clicks)`

/** Rows of one span, put right by `truth`. Answers how many were wrong. */
const repairSpan = (tx: Db, workspaceId: string, span: Span, day: string, truth: Sql): Promise<number> =>
  differing(
    tx,
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

/** Where each of the larger spans begins that anything is counted in. */
export const spansCounted = (tx: Db, workspaceId: string): Promise<{ span: Span; day: string }[]> =>
  tx.query(sql`
    select distinct span, day::text from event_counts where workspace_id = ${workspaceId} and span > 1`)

/** By the events of the day. */
export const recountDay = (tx: Db, workspaceId: string, from: Date, to: Date): Promise<number> => {
  const that = sql`
    (select * from events where workspace_id = ${workspaceId} and recorded_at >= ${from} and recorded_at < ${to}) e`
  return repairSpan(tx, workspaceId, 1, dateOf(from), sql`${counted(that)}`)
}

/** By its days, which are kept for ever. */
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
  const that = sql`
    (select * from events where workspace_id = ${workspaceId} and recorded_at >= ${from} and recorded_at < ${to}) e`
  return differing(
    tx,
    sql`
      with truth as (${countedByHour(that)}),
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
