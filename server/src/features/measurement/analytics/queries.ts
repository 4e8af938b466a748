// Counts of views and clicks. Folded events come from rollups where these can answer, else from the events table.
// Events that are not folded yet come from the tail in the same statement: in one snapshot every event is in exactly
// one place. (A cluster has no common snapshot.)

import { limitOffset, type PageQuery } from '#kernel/api/pagination.ts'
import { composed, type Db, empty, join, raw, type Sql, sql } from '#kernel/db/db.ts'
import {
  type Dimension,
  type DimensionKey,
  variantKey,
  workspaceDimension,
  workspaceKey,
} from './dimension.ts'
import { dateOf, type Interval, isEmpty, type Range, spansCovering, split } from './range.ts'

/** The key that an event has in a dimension, or null. */
export const keyOf: Readonly<Record<Dimension, Sql>> = {
  signature_template: sql`signature_id::text`,
  marketing_campaign: sql`campaign_id::text`,
  campaign_variant: sql`campaign_id::text || ':' || campaign_variant`,
  teammate: sql`teammate_id::text`,
  country: sql`country`,
  anchor: sql`anchor_id`,
}

const columnOf = {
  signature_template: sql`signature_id`,
  marketing_campaign: sql`campaign_id`,
  teammate: sql`teammate_id`,
}

/** Compares the column itself where there is one, so PostgreSQL can use an index. */
export const matchesKey = ({ dimension, key }: DimensionKey): Sql =>
  dimension in columnOf
    ? sql`${columnOf[dimension as keyof typeof columnOf]} = ${key}::uuid`
    : sql`${keyOf[dimension]} = ${key}`

export const isCounted = sql`outcome = 'counted' and name in ('$view', '$click')`

export interface CountQuery {
  readonly workspaceId: string
  readonly range: Range
  readonly filters: readonly DimensionKey[]
}

const events = sql`events`
const tail = sql`event_tail`

const viewsOfEvent = sql`(name = '$view')::int`
const clicksOfEvent = sql`(name = '$click')::int`

/** A FROM and WHERE of single events, for ranges that no rollup covers. */
const eventsIn = ({ workspaceId, filters: chosen }: CountQuery, table: Sql, { from, to }: Range): Sql => sql`
  from ${table}
  where workspace_id = ${workspaceId} and recorded_at >= ${from} and recorded_at < ${to} and ${isCounted}
    ${chosen.length === 0 ? empty : sql`and ${join(chosen.map(matchesKey), ' and ')}`}`

const unionAll = (parts: readonly Sql[]): Sql => join(parts, ' union all ')

const daysIn = ({ from, to }: Range): Sql => sql`day >= ${dateOf(from)}::date and day < ${dateOf(to)}::date`

/** UTC, independent of the session's time zone. */
const utc = sql`recorded_at at time zone 'UTC'`

export interface EventCounts {
  readonly views: number
  readonly clicks: number
}

/** A part of a series: when, the numbers, and the rows that have them. */
type SelectCounts = (at: Sql, views: Sql, clicks: Sql, from: Sql) => Sql

function foldedSeries(question: CountQuery, interval: Interval, select: SelectCounts): Sql[] {
  const { workspaceId, range, filters: chosen } = question
  const fromEvents = (part: Range) =>
    select(utc, viewsOfEvent, clicksOfEvent, eventsIn(question, events, part))
  const [firstKey, ...otherKeys] = chosen
  const byHour = interval === 'hour'
  if (otherKeys.length > 0 || (firstKey && byHour)) return [fromEvents(range)]
  const fromHours = (part: Range) => {
    const { inner, edges } = split(part, 'hour')
    const hours = sql`
      from event_hours where workspace_id = ${workspaceId} and hour >= ${inner.from} and hour < ${inner.to}`
    return [
      ...(isEmpty(inner) ? [] : [select(sql`hour at time zone 'UTC'`, sql`views`, sql`clicks`, hours)]),
      ...edges.map(fromEvents),
    ]
  }
  if (byHour) return fromHours(range)
  const { inner, edges } = split(range, 'day')
  const days = sql`
    from event_counts
    where workspace_id = ${workspaceId} and dimension = ${firstKey?.dimension ?? workspaceDimension} and key = ${firstKey?.key ?? workspaceKey}
      and span = 1 and ${daysIn(inner)}`
  return [
    ...(isEmpty(inner) ? [] : [select(sql`day::timestamp`, sql`views`, sql`clicks`, days)]),
    ...edges.flatMap(firstKey ? fromEvents : fromHours),
  ]
}

const unfoldedSeries = (question: CountQuery, select: SelectCounts): Sql =>
  select(utc, viewsOfEvent, clicksOfEvent, eventsIn(question, tail, question.range))

/** Counts by period name; periods without events are missing. */
export async function countByPeriod(
  db: Db,
  question: CountQuery,
  interval: Interval,
): Promise<Map<string, EventCounts>> {
  const format = interval === 'hour' ? 'YYYY-MM-DD"T"HH24:MI:SS".000Z"' : 'YYYY-MM-DD'
  // Without subqueries: Citus keeps the plan of such a statement, and makes one anew for each run of others.
  const sum: SelectCounts = (at, views, clicks, from) => {
    const period = sql`date_trunc(${raw(`'${interval}'`)}, ${at})`
    return sql`
      select to_char(${period}, ${format}) as period, sum(${views})::float8 as views, sum(${clicks})::float8 as clicks
      ${from} group by ${period}`
  }
  const folded = foldedSeries(question, interval, sum)
  const unfolded = unfoldedSeries(question, sum)
  // A cluster takes half the time for two statements: one on a node, and one on the coordinator.
  const statements =
    db.isDistributed && folded.length > 0 ? [unionAll(folded), unfolded] : [unionAll([...folded, unfolded])]
  const counts = new Map<string, EventCounts>()
  for (const statement of statements)
    for (const { period, views, clicks } of await db.query<EventCounts & { period: string }>(statement)) {
      const before = counts.get(period) ?? { views: 0, clicks: 0 }
      counts.set(period, { views: before.views + views, clicks: before.clicks + clicks })
    }
  return counts
}

/** A statement that selects the number of views or clicks. */
export function totalOf(question: CountQuery, column: 'views' | 'clicks'): Sql {
  const select: SelectCounts = (_, views, clicks, from) =>
    sql`select sum(${column === 'views' ? views : clicks}) as n ${from}`
  const parts = [...foldedSeries(question, 'day', select), unfoldedSeries(question, select)]
  return sql`select coalesce(sum(n), 0) from (${unionAll(parts)}) counted`
}

/** The condition on rollup keys; undefined when the rollup of this dimension cannot answer the query. */
function keyConditionOf(dimension: Dimension, chosen: readonly DimensionKey[]): Sql | undefined {
  const [firstKey, ...otherKeys] = chosen
  if (firstKey === undefined) return empty
  if (otherKeys.length > 0) return undefined
  if (firstKey.dimension === dimension) return sql`and key = ${firstKey.key}`
  if (dimension === 'campaign_variant' && firstKey.dimension === 'marketing_campaign')
    return sql`and key > ${variantKey(firstKey.key, '')} and key < ${`${firstKey.key};`}` // ';' is the next character after ':'
  return undefined
}

function keySources(question: CountQuery, dimension: Dimension): Sql[] {
  const { workspaceId, range, filters: chosen } = question
  const key = sql`${keyOf[dimension]} collate "C" as key`
  const fromTable = (table: Sql, part: Range) =>
    sql`select ${key}, ${viewsOfEvent} as views, ${clicksOfEvent} as clicks ${eventsIn(question, table, part)}`
  const unfolded = fromTable(tail, range)
  const fromEvents = (part: Range) => fromTable(events, part)
  const keyCondition = keyConditionOf(dimension, chosen)
  if (keyCondition === undefined) return [fromEvents(range), unfolded]
  const { inner, edges } = split(range, 'day')
  const rollups = spansCovering(inner).map(({ span, sign, ...days }) => {
    const counts = sign === 1 ? sql`views, clicks` : sql`-views as views, -clicks as clicks`
    return sql`
      select key, ${counts} from event_counts
      where workspace_id = ${workspaceId} and dimension = ${dimension} ${keyCondition} and span = ${span} and ${daysIn(days)}`
  })
  return [...rollups, ...edges.map(fromEvents), unfolded]
}

export const orders = ['views', 'clicks', 'clickthrough_rate'] as const

export interface BreakdownOrder {
  readonly order_by: (typeof orders)[number]
  readonly order: 'asc' | 'desc'
}

export interface CountedKey extends EventCounts {
  readonly id: string
  readonly clickthrough_rate: number
}

interface KeysPage {
  readonly total: number
  readonly rows: readonly CountedKey[]
}

const orderColumn = {
  views: sql`views`,
  clicks: sql`clicks`,
  clickthrough_rate: sql`clickthrough_rate`,
}

export async function countByKey(
  db: Db,
  question: CountQuery,
  dimension: Dimension,
  { order_by, order }: BreakdownOrder,
  page: PageQuery,
): Promise<KeysPage> {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const statement = sql`
    with summed as (
      select key, sum(views)::bigint as views, sum(clicks)::bigint as clicks from (${unionAll(keySources(question, dimension))}) counted
      where key is not null group by key having sum(views) > 0 or sum(clicks) > 0
    ),
    keys as materialized (
      select key as id, views, clicks,
        case when views = 0 then 0 else round(clicks::numeric / views, 6) end as clickthrough_rate
      from summed
    )
    select (select count(*)::int from keys) as total, (
      select coalesce(json_agg(page), '[]') from (
        select * from keys order by ${orderColumn[order_by]} ${direction}, id ${limitOffset(page)}
      ) page) as rows`
  // Not a named prepared statement: the spans depend on the dates, which gives thousands of different texts.
  const result = await db.first<KeysPage>(composed(statement))
  return result ?? { total: 0, rows: [] }
}
