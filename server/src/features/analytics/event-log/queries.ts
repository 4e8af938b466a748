// Single events: those that are folded, and those that are not yet, in one statement.
import { composed, type Db, empty, join, type Sql, sql } from '#kernel/db.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery, paginate } from '#kernel/pagination.ts'
import { iso } from '#kernel/text.ts'
import { keptSince } from '../folding/queries.ts'
import { type CountQuery, keyOf, matchesKey, totalOf } from '../queries.ts'
import type { SummaryGrouping } from './schemas.ts'

export interface EventFilter extends CountQuery {
  /** Undefined: all but views and clicks. Null: all. */
  readonly name: string | null | undefined
  readonly outcome: string
  readonly distinctId: string | undefined
}

const columns = sql`
  recorded_at, id, name, outcome, click_id, signature_id, campaign_id, campaign_variant, teammate_id, email_id, anchor_id,
  country, value, currency, distinct_id, anonymous_id, properties`

/** Said so that the partial indexes can serve it. */
function named(name: EventFilter['name']): Sql {
  if (name === null) return empty
  if (name === undefined) return sql`and name <> '$view' and name <> '$click'`
  return name === '$view' ? sql`and name = '$view'` : sql`and name = ${name} and name <> '$view'`
}

const leftOut = sql`and outcome <> 'counted'`

function cameOut(outcome: string): Sql {
  if (outcome === 'any') return empty
  return outcome === 'counted' ? sql`and outcome = 'counted'` : sql`and outcome = ${outcome} ${leftOut}`
}

// 192 texts, in each of several statements: too many to be prepared under names.
const where = ({ workspaceId, range, chosen, name, outcome, distinctId }: EventFilter): Sql =>
  composed(sql`
  workspace_id = ${workspaceId} and recorded_at >= ${range.from} and recorded_at < ${range.to}
  ${chosen.length === 0 ? empty : sql`and ${join(chosen.map(matchesKey), ' and ')}`} ${cameOut(outcome)}
  ${distinctId === undefined ? empty : sql`and distinct_id = ${distinctId}`}
  ${named(name)}`)

/** `more` ends the question for each of the two. */
const both = (what: Sql, question: EventFilter, more = empty): Sql => sql`
  (select ${what} from events where ${where(question)} ${more})
  union all
  (select ${what} from event_tail where ${where(question)} ${more})`

const newestFirst = sql`order by recorded_at desc, id desc`

/** The newest of each of the two hold the newest of both, and each has an index that begins with them. */
const newest = (question: EventFilter, most: number, more = empty): Sql => sql`
  select * from (${both(columns, question, sql`${more} ${newestFirst} limit ${most}`)}) found ${newestFirst}`

const shape = sql`
  ${iso(sql`recorded_at`)} as recorded_at, name, value, currency, click_id, signature_id as signature_template_uuid,
  campaign_id as marketing_campaign_uuid, teammate_id as teammate_uuid, anchor_id as anchor_uuid, email_id as email_uuid,
  country as country_code, distinct_id, anonymous_id, properties, outcome`

const countOf = (question: EventFilter, more = empty): Sql =>
  sql`(select count(*) from (${both(sql`1`, question, more)}) found)`

/** Views and clicks are too many to count; where their rollups can tell, they do. */
const isRolled = ({ name, outcome, distinctId, chosen }: EventFilter): boolean =>
  (name === '$view' || name === '$click') &&
  (outcome === 'counted' || outcome === 'any') &&
  distinctId === undefined &&
  chosen.length < 2

function total(question: EventFilter): Sql {
  if (!isRolled(question)) return countOf(question)
  const counted = sql`(${totalOf(question, question.name === '$view' ? 'views' : 'clicks')})`
  return question.outcome === 'counted' ? counted : sql`${counted} + ${countOf(question, leftOut)}`
}

/** Rollups know of more than is left to be listed. */
async function clipped(db: Db, question: EventFilter): Promise<EventFilter> {
  const { from, to } = question.range
  const kept = new Date(`${await keptSince(db, question.workspaceId)}T00:00:00Z`).getTime()
  const first = new Date(Math.min(to.getTime(), Math.max(from.getTime(), kept)))
  return { ...question, range: { from: first, to } }
}

export async function listEvents(db: Db, page: PageQuery, asked: EventFilter): Promise<ListResult> {
  const question = isRolled(asked) ? await clipped(db, asked) : asked
  const most = Math.min(page.page * page.limit, Number.MAX_SAFE_INTEGER)
  return listAsJson(
    db,
    page,
    sql`
      select ${shape} from (${newest(question, most)} ${limitOffset(page)}) page
      order by page.recorded_at desc, page.id desc`,
    total(question),
  )
}

export interface ExportedEvent {
  readonly id: string
  readonly recorded_at: string
  readonly name: string
  readonly value: number | null
}

/** The next ones, newest first, after the last that was read. */
export const nextEvents = (
  db: Db,
  question: EventFilter,
  after: ExportedEvent | undefined,
  count: number,
): Promise<ExportedEvent[]> => {
  const more = after
    ? sql`and (recorded_at, id) < (${after.recorded_at}::timestamptz, ${after.id}::uuid)`
    : empty
  return db.query(sql`
    select id, ${shape}, campaign_variant, value::float8 as value
    from (${newest(question, count, more)} limit ${count}) page order by page.recorded_at desc, page.id desc`)
}

/** Not the id of a user, which may be the same words. */
const wasAnonymous = sql`anonymous_id = distinct_id`

/** Who it is, as far as is known by now: one who was anonymous may have told since. */
const visitor = sql`coalesce(i.user_id, e.distinct_id)`
const identified = sql`
  left join visitor_identities i on i.workspace_id = e.workspace_id and i.anonymous_id = e.distinct_id
    and e.anonymous_id = e.distinct_id`

/** What was recorded of a person, under all the ids that are known to be theirs by now. */
function ofPerson(what: Sql, question: EventFilter, more = empty): Sql {
  const { workspaceId, distinctId: id } = question
  if (id === undefined) return both(what, question, more)
  const identities = sql`visitor_identities where workspace_id = ${workspaceId}`
  // Whoever has this id, and whom the anonymous visitor of this id turned out to be.
  const users = sql`array(select ${id}::text union select user_id from ${identities} and anonymous_id = ${id})`
  const anonymous = sql`array(
    select anonymous_id from ${identities} and user_id = any(${users})
    union select u from unnest(${users}) u where not exists (select from ${identities} and anonymous_id = u))`
  return both(
    what,
    { ...question, distinctId: undefined },
    sql`${more} and distinct_id = any(${users} || ${anonymous})
      and case when ${wasAnonymous} then distinct_id = any(${anonymous}) else distinct_id = any(${users}) end`,
  )
}

const groupedBy: Readonly<Record<SummaryGrouping, Sql>> = {
  name: sql`name`,
  signature_template: keyOf.signature_template,
  marketing_campaign: keyOf.marketing_campaign,
  teammate: keyOf.teammate,
  anchor: keyOf.anchor,
  country: keyOf.country,
  currency: sql`currency`,
  user: visitor,
}

/** Within what JavaScript can hold, however large the single ones are. */
const sumOfValues = sql`least(greatest(coalesce(sum(value), 0), -1.7e308), 1.7e308)`

const summable = sql`
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
  question: EventFilter,
  grouping: SummaryGrouping,
): Promise<Summary> {
  const [result] = await db.query<Summary>(sql`
    with groups as materialized (
      select ${groupedBy[grouping]} collate "C" as id, count(*) as count, ${sumOfValues} as value
      from (${ofPerson(summable, question)}) e ${grouping === 'user' ? identified : empty} group by 1
    )
    select (select count(*)::int from groups where id is not null) as total,
      (select json_build_object('count', coalesce(sum(count), 0), 'value', ${sumOfValues}) from groups) as totals,
      (select coalesce(json_agg(page), '[]') from (
        select * from groups where id is not null order by count desc, id ${limitOffset(page)}) page) as rows`)
  return result ?? { total: 0, totals: { count: 0, value: 0 }, rows: [] }
}

/** Whoever was seen last comes first. */
export async function listVisitors(db: Db, page: PageQuery, question: EventFilter): Promise<ListResult> {
  const what = sql`workspace_id, recorded_at, value, distinct_id, anonymous_id`
  const [result] = await db.query<{ total: number; data: string }>(sql`
    with seen as materialized (
      select ${visitor} collate "C" as distinct_id, count(*)::int as event_count, ${sumOfValues} as value,
        min(recorded_at) as first_seen_at, max(recorded_at) as last_seen_at
      from (${ofPerson(what, question, sql`and distinct_id is not null`)}) e ${identified} group by 1
    )
    select (select count(*)::int from seen) as total, (select coalesce(json_agg(row), '[]')::text from (
      select v.distinct_id, t.traits, v.event_count, v.value, ${iso(sql`v.first_seen_at`)} as first_seen_at,
        ${iso(sql`v.last_seen_at`)} as last_seen_at
      from (select * from seen order by last_seen_at desc, distinct_id ${limitOffset(page)}) v
      left join visitor_traits t on t.workspace_id = ${question.workspaceId} and t.distinct_id = v.distinct_id
      order by v.last_seen_at desc, v.distinct_id) row) as data`)
  const { total = 0, data = '[]' } = result ?? {}
  return { data, pagination: paginate(page, total) }
}
