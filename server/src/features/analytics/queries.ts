// Counts of views and clicks. Folded events come from rollups where these can answer, else from the events table.
// Events that are not folded yet come from the tail in the same statement: in one snapshot every event is in exactly
// one place.
import { composed, type Db, empty, join, type Sql, sql } from '#kernel/db.ts'
import { limitOffset, type PageQuery } from '#kernel/pagination.ts'
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

/** Selects single events as rows of numbers to add up, for ranges that no rollup covers. */
const eventRows = (
  { workspaceId, filters: chosen }: CountQuery,
  table: Sql,
  { from, to }: Range,
  firstColumn: Sql,
): Sql => sql`
  select ${firstColumn}, (name = '$view')::int as views, (name = '$click')::int as clicks from ${table}
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

const sumColumns = sql`sum(views)::float8 as views, sum(clicks)::float8 as clicks`

function seriesSources(question: CountQuery, interval: Interval): Sql[] {
  const { workspaceId, range, filters: chosen } = question
  const unfolded = eventRows(question, tail, range, sql`${utc} as at`)
  const fromEvents = (part: Range) => eventRows(question, events, part, sql`${utc} as at`)
  const [firstKey, ...otherKeys] = chosen
  const byHour = interval === 'hour'
  if (otherKeys.length > 0 || (firstKey && byHour)) return [fromEvents(range), unfolded]
  const fromHours = (part: Range) => {
    const { inner, edges } = split(part, 'hour')
    const hours = sql`
      select hour at time zone 'UTC' as at, views, clicks from event_hours
      where workspace_id = ${workspaceId} and hour >= ${inner.from} and hour < ${inner.to}`
    return [...(isEmpty(inner) ? [] : [hours]), ...edges.map(fromEvents)]
  }
  if (byHour) return [...fromHours(range), unfolded]
  const { inner, edges } = split(range, 'day')
  const days = sql`
    select day::timestamp as at, views, clicks from event_counts
    where workspace_id = ${workspaceId} and dimension = ${firstKey?.dimension ?? workspaceDimension} and key = ${firstKey?.key ?? workspaceKey}
      and span = 1 and ${daysIn(inner)}`
  return [...(isEmpty(inner) ? [] : [days]), ...edges.flatMap(firstKey ? fromEvents : fromHours), unfolded]
}

/** Counts by period name; periods without events are missing. */
export async function countByPeriod(
  db: Db,
  question: CountQuery,
  interval: Interval,
): Promise<Map<string, EventCounts>> {
  const format = interval === 'hour' ? 'YYYY-MM-DD"T"HH24:MI:SS".000Z"' : 'YYYY-MM-DD'
  const rows = await db.query<EventCounts & { period: string }>(sql`
    select to_char(period, ${format}) as period, views, clicks from (
      select date_trunc(${interval}, at) as period, ${sumColumns} from (${unionAll(seriesSources(question, interval))}) counted group by 1
    ) periods`)
  return new Map(rows.map(({ period, views, clicks }) => [period, { views, clicks }]))
}

/** A statement that selects the number of views or clicks. */
export const totalOf = (question: CountQuery, column: 'views' | 'clicks'): Sql => sql`
  select coalesce(sum(${column === 'views' ? sql`views` : sql`clicks`}), 0)
  from (${unionAll(seriesSources(question, 'day'))}) counted`

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
  const unfolded = eventRows(question, tail, range, key)
  const fromEvents = (part: Range) => eventRows(question, events, part, key)
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

export interface KeysPage {
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
  const [result] = await db.query<KeysPage>(composed(statement))
  return result ?? { total: 0, rows: [] }
}
