// Queries for single events. Each statement reads the folded events and the tail.

import { type ListResult, limitOffset, listAsJson, type PageQuery, paginate } from '#kernel/api/pagination.ts'
import { composed, type Db, empty, join, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import { firstKeptDay } from '../folding/queries.ts'
import { type CountQuery, keyOf, matchesKey, totalOf } from '../queries.ts'
import type { SummaryGrouping } from './schemas.ts'

export interface EventFilter extends CountQuery {
  /** Undefined: all events except views and clicks. Null: all events. */
  readonly name: string | null | undefined
  readonly outcome: string
  readonly distinctId: string | undefined
}

const columns = sql`
  recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant, teammate_id, email_id, anchor_id,
  country, value, currency, distinct_id, anonymous_id, properties, other_click_id`

/** Written so that PostgreSQL can use the partial indexes. */
function nameCondition(name: EventFilter['name']): Sql {
  if (name === null) return empty
  if (name === undefined) return sql`and name <> '$view' and name <> '$click'`
  return name === '$view' ? sql`and name = '$view'` : sql`and name = ${name} and name <> '$view'`
}

const notCounted = sql`and outcome <> 'counted'`

function outcomeCondition(outcome: string): Sql {
  if (outcome === 'any') return empty
  return outcome === 'counted' ? sql`and outcome = 'counted'` : sql`and outcome = ${outcome} ${notCounted}`
}

// 192 texts, in each of several statements: too many to be prepared under names.
const conditionsOf = ({ workspaceId, range, filters: chosen, name, outcome, distinctId }: EventFilter): Sql =>
  composed(sql`
  workspace_id = ${workspaceId} and recorded_at >= ${range.from} and recorded_at < ${range.to}
  ${chosen.length === 0 ? empty : sql`and ${join(chosen.map(matchesKey), ' and ')}`} ${outcomeCondition(outcome)}
  ${distinctId === undefined ? empty : sql`and distinct_id = ${distinctId}`}
  ${nameCondition(name)}`)

/** `extraCondition` is appended to the statement of each of the two tables. */
const fromBothTables = (columnList: Sql, filter: EventFilter, extraCondition = empty): Sql => sql`
  (select ${columnList} from events where ${conditionsOf(filter)} ${extraCondition})
  union all
  (select ${columnList} from event_tail where ${conditionsOf(filter)} ${extraCondition})`

const newestFirst = sql`order by recorded_at desc, id desc`

/** Reads the newest rows of each table by index, then merges them: together they contain the newest of both. */
const newestOf = (filter: EventFilter, maxRows: number, extraCondition = empty): Sql => sql`
  select * from (${fromBothTables(columns, filter, sql`${extraCondition} ${newestFirst} limit ${maxRows}`)}) found ${newestFirst}`

const shape = sql`
  id, ${iso(sql`recorded_at`)} as recorded_at, name, value, currency, coalesce(click_id::text, other_click_id) as click_id,
  signature_id as signature_template_uuid,
  campaign_id as marketing_campaign_uuid, teammate_id as teammate_uuid, anchor_id as anchor_uuid, email_id as email_uuid,
  country as country_code, distinct_id, anonymous_id, properties, outcome`

const countOf = (filter: EventFilter, extraCondition = empty): Sql =>
  sql`(select count(*) from (${fromBothTables(sql`1`, filter, extraCondition)}) found)`

/** Counting all views or clicks row by row is too slow, so the total comes from rollups where they can answer. */
const isInRollups = ({ name, outcome, distinctId, filters: chosen }: EventFilter): boolean =>
  (name === '$view' || name === '$click') &&
  (outcome === 'counted' || outcome === 'any') &&
  distinctId === undefined &&
  chosen.length < 2

function totalExpression(filter: EventFilter): Sql {
  if (!isInRollups(filter)) return countOf(filter)
  const countedTotal = sql`(${totalOf(filter, filter.name === '$view' ? 'views' : 'clicks')})`
  return filter.outcome === 'counted' ? countedTotal : sql`${countedTotal} + ${countOf(filter, notCounted)}`
}

/** Rollups still count events that retention has deleted. Starts the range at the first day whose events are kept. */
async function clipToRetention(db: Db, filter: EventFilter): Promise<EventFilter> {
  const { from, to } = filter.range
  const keptSinceTime = new Date(`${await firstKeptDay(db, filter.workspaceId)}T00:00:00Z`).getTime()
  const start = new Date(Math.min(to.getTime(), Math.max(from.getTime(), keptSinceTime)))
  return { ...filter, range: { from: start, to } }
}

export async function listEvents(db: Db, page: PageQuery, requestedFilter: EventFilter): Promise<ListResult> {
  const filter = isInRollups(requestedFilter) ? await clipToRetention(db, requestedFilter) : requestedFilter
  const maxRows = page.page * page.limit
  return listAsJson(
    db,
    page,
    sql`
      select ${shape} from (${newestOf(filter, maxRows)} ${limitOffset(page)}) page
      order by page.recorded_at desc, page.id desc`,
    totalExpression(filter),
  )
}

export interface ExportedEvent {
  readonly id: string
  readonly recorded_at: string
  readonly name: string
  readonly value: number | null
}

/** The next batch, newest first. `after` is the last event of the previous batch. */
export const nextEvents = (
  db: Db,
  filter: EventFilter,
  after: ExportedEvent | undefined,
  count: number,
): Promise<ExportedEvent[]> => {
  const afterCondition = after
    ? sql`and (recorded_at, id) < (${after.recorded_at}::timestamptz, ${after.id}::uuid)`
    : empty
  return db.query(sql`
    select ${shape}, campaign_variant, value::float8 as value
    from (${newestOf(filter, count, afterCondition)} limit ${count}) page order by page.recorded_at desc, page.id desc`)
}

/** Distinguishes an anonymous id from a user id with the same text. */
const isAnonymous = sql`anonymous_id = distinct_id`

/** The user id if the visitor was identified after the event, else the recorded id. */
const visitor = sql`coalesce(i.user_id, e.distinct_id)`
const identityJoin = sql`
  left join visitor_identities i on i.workspace_id = e.workspace_id and i.anonymous_id = e.distinct_id
    and e.anonymous_id = e.distinct_id`

/** The events of one person, under every id that is now linked to this person. */
function eventsOfPerson(columnList: Sql, filter: EventFilter, extraCondition = empty): Sql {
  const { workspaceId, distinctId: id } = filter
  if (id === undefined) return fromBothTables(columnList, filter, extraCondition)
  const identities = sql`visitor_identities where workspace_id = ${workspaceId}`
  // The given id itself, and the user that the anonymous visitor with this id was identified as.
  const users = sql`array(values (${id}::text) union select user_id from ${identities} and anonymous_id = ${id})`
  const anonymous = sql`array(
    select anonymous_id from ${identities} and user_id = any(${users})
    union select u from unnest(${users}) u where not exists (select 1 from ${identities} and anonymous_id = u))`
  return fromBothTables(
    columnList,
    { ...filter, distinctId: undefined },
    sql`${extraCondition} and distinct_id = any(${users} || ${anonymous})
      and case when ${isAnonymous} then distinct_id = any(${anonymous}) else distinct_id = any(${users}) end`,
  )
}

const groupingColumn: Readonly<Record<SummaryGrouping, Sql>> = {
  name: sql`name`,
  signature_template: keyOf.signature_template,
  marketing_campaign: keyOf.marketing_campaign,
  teammate: keyOf.teammate,
  anchor: keyOf.anchor,
  country: keyOf.country,
  currency: sql`currency`,
  user: visitor,
}

/** Clamped to the range of a JavaScript number. */
const sumOfValues = sql`least(greatest(coalesce(sum(value), 0), -1.7e308), 1.7e308)`

const summaryColumns = sql`
  workspace_id, recorded_at, name, signature_id, campaign_id, teammate_id, anchor_id, country, value, currency, distinct_id,
  anonymous_id`

export interface Summary {
  readonly total: number
  readonly totals: { readonly count: number; readonly value: number }
  readonly rows: readonly { readonly id: string; readonly count: number; readonly value: number }[]
}

export async function summarize(
  db: Db,
  page: PageQuery,
  filter: EventFilter,
  grouping: SummaryGrouping,
): Promise<Summary> {
  const result = await db.first<Summary>(sql`
    with groups as materialized (
      select ${groupingColumn[grouping]} collate "C" as id, count(*) as count, ${sumOfValues} as value
      from (${eventsOfPerson(summaryColumns, filter)}) e ${grouping === 'user' ? identityJoin : empty} group by 1
    )
    select (select count(*)::int from groups where id is not null) as total,
      (select json_build_object('count', coalesce(sum(count), 0), 'value', ${sumOfValues}) from groups) as totals,
      (select coalesce(json_agg(page), '[]') from (
        select * from groups where id is not null order by count desc, id ${limitOffset(page)}) page) as rows`)
  return result ?? { total: 0, totals: { count: 0, value: 0 }, rows: [] }
}

/** Ordered by last event, newest first. */
export async function listVisitors(db: Db, page: PageQuery, filter: EventFilter): Promise<ListResult> {
  const columnList = sql`workspace_id, recorded_at, value, distinct_id, anonymous_id`
  const result = await db.first<{ total: number; data: string }>(sql`
    with seen as materialized (
      select ${visitor} collate "C" as distinct_id, count(*)::int as event_count, ${sumOfValues} as value,
        min(recorded_at) as first_seen_at, max(recorded_at) as last_seen_at
      from (${eventsOfPerson(columnList, filter, sql`and distinct_id is not null`)}) e ${identityJoin} group by 1
    )
    select (select count(*)::int from seen) as total, (select coalesce(json_agg(row), '[]')::text from (
      select v.distinct_id, t.traits, v.event_count, v.value, ${iso(sql`v.first_seen_at`)} as first_seen_at,
        ${iso(sql`v.last_seen_at`)} as last_seen_at
      from (select * from seen order by last_seen_at desc, distinct_id ${limitOffset(page)}) v
      left join visitor_traits t on t.workspace_id = ${filter.workspaceId} and t.distinct_id = v.distinct_id
      order by v.last_seen_at desc, v.distinct_id) row) as data`)
  const { total = 0, data = '[]' } = result ?? {}
  return { data, pagination: paginate(page, total) }
}
