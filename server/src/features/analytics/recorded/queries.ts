// Single events: those that are folded, and those that are not yet, in one statement.
import { type Db, empty, iso, join, type Sql, sql } from '../../../kernel/db.ts'
import { type Listed, listed, type PageQuery, window } from '../../../kernel/pagination.ts'
import { isOf, keyOf, type Question, totalOf } from '../queries.ts'
import type { Grouping } from './schemas.ts'

export interface EventQuestion extends Question {
  /** Undefined: all but views and clicks. Null: all. */
  readonly name: string | null | undefined
  readonly outcome: string
  readonly distinctId: string | undefined
}

const columns = sql`
  recorded_at, id, name, outcome, click_id, signature_id, campaign_id, teammate_id, email_id, anchor_id, country,
  value, currency, distinct_id, anonymous_id, properties`

/** Said so that the partial indexes can serve it. */
function named(name: EventQuestion['name']): Sql {
  if (name === null) return empty
  if (name === undefined) return sql`and name <> '$view' and name <> '$click'`
  return name === '$view' ? sql`and name = '$view'` : sql`and name = ${name} and name <> '$view'`
}

const where = ({ workspaceId, range, chosen, name, outcome, distinctId }: EventQuestion): Sql => sql`
  workspace_id = ${workspaceId} and recorded_at >= ${range.from} and recorded_at < ${range.to}
  ${chosen.length === 0 ? empty : sql`and ${join(chosen.map(isOf), ' and ')}`}
  ${outcome === 'any' ? empty : sql`and outcome = ${outcome}`}
  ${distinctId === undefined ? empty : sql`and distinct_id = ${distinctId}`}
  ${named(name)}`

const both = (what: Sql, question: EventQuestion, more = empty): Sql => sql`
  select ${what} from events where ${where(question)} ${more}
  union all
  select ${what} from event_tail where ${where(question)} ${more}`

const shape = sql`
  ${iso(sql`recorded_at`)} as recorded_at, name, value, currency, click_id, signature_id as signature_template_uuid,
  campaign_id as marketing_campaign_uuid, teammate_id as teammate_uuid, anchor_id as anchor_uuid, email_id as email_uuid,
  country as country_code, distinct_id, anonymous_id, properties, outcome`

/** Views and clicks are too many to count; where their rollups can tell, they do. */
function total(question: EventQuestion): Sql {
  const { name, outcome, distinctId, chosen } = question
  const isRolled = (name === '$view' || name === '$click') && outcome === 'counted'
  return isRolled && distinctId === undefined && chosen.length < 2
    ? totalOf(question, name === '$view' ? 'views' : 'clicks')
    : sql`select count(*) from (${both(sql`1`, question)}) found`
}

export const listEvents = (db: Db, page: PageQuery, question: EventQuestion): Promise<Listed> =>
  listed(
    db,
    page,
    sql`
      select ${shape} from (
        select * from (${both(columns, question)}) found order by recorded_at desc, id desc ${window(page)}
      ) page order by recorded_at desc, id desc`,
    total(question),
  )

export interface ExportedEvent {
  readonly id: string
  readonly recorded_at: string
  readonly name: string
  readonly value: number | null
}

/** The next ones, newest first, after the last that was read. */
export const nextEvents = (
  db: Db,
  question: EventQuestion,
  after: ExportedEvent | undefined,
  count: number,
): Promise<ExportedEvent[]> => {
  const more = after
    ? sql`and (recorded_at, id) < (${after.recorded_at}::timestamptz, ${after.id}::uuid)`
    : empty
  return db.query(sql`
    select id, ${shape}, value::float8 as value from (
      select * from (${both(columns, question, more)}) found order by recorded_at desc, id desc limit ${count}
    ) page order by page.recorded_at desc, page.id desc`)
}

/** Who it is, as far as is known by now: one who was anonymous may have told since. */
const visitor = sql`
  coalesce((select i.user_id from visitor_identities i
    where i.workspace_id = e.workspace_id and i.anonymous_id = e.distinct_id), e.distinct_id)`

const groupedBy: Readonly<Record<Grouping, Sql>> = {
  name: sql`name`,
  signature_template: keyOf.signature_template,
  marketing_campaign: keyOf.marketing_campaign,
  teammate: keyOf.teammate,
  anchor: keyOf.anchor,
  country: keyOf.country,
  currency: sql`currency`,
  user: visitor,
}

const summable = sql`
  workspace_id, recorded_at, name, signature_id, campaign_id, teammate_id, anchor_id, country, value, currency, distinct_id`

export interface Summary {
  readonly total: number
  readonly totals: { readonly count: number; readonly value: number }
  readonly rows: readonly { readonly id: string; readonly count: number; readonly value: number }[]
}

export async function summarize(
  db: Db,
  page: PageQuery,
  question: EventQuestion,
  grouping: Grouping,
): Promise<Summary> {
  const [result] = await db.query<Summary>(sql`
    with found as (${both(summable, question)}),
    groups as materialized (
      select ${groupedBy[grouping]} collate "C" as id, count(*) as count, coalesce(sum(value), 0) as value from found e group by 1
    )
    select (select count(*)::int from groups where id is not null) as total,
      (select json_build_object('count', coalesce(sum(count), 0), 'value', coalesce(sum(value), 0)) from groups) as totals,
      (select coalesce(json_agg(page), '[]') from (
        select * from groups where id is not null order by count desc, id ${window(page)}) page) as rows`)
  return result ?? { total: 0, totals: { count: 0, value: 0 }, rows: [] }
}

/** Whoever was seen last comes first. */
export async function listVisitors(db: Db, page: PageQuery, question: EventQuestion): Promise<Listed> {
  const seen = sql`
    select ${visitor} collate "C" as distinct_id, count(*)::int as event_count, coalesce(sum(value), 0) as value,
      min(recorded_at) as first_seen_at, max(recorded_at) as last_seen_at
    from (${both(summable, question, sql`and distinct_id is not null`)}) e group by 1`
  return listed(
    db,
    page,
    sql`
      select v.distinct_id, t.traits, v.event_count, v.value, ${iso(sql`v.first_seen_at`)} as first_seen_at,
        ${iso(sql`v.last_seen_at`)} as last_seen_at
      from (select * from (${seen}) seen order by last_seen_at desc, distinct_id ${window(page)}) v
      left join visitor_traits t on t.workspace_id = ${question.workspaceId} and t.distinct_id = v.distinct_id
      order by v.last_seen_at desc, v.distinct_id`,
    sql`select count(*) from (${seen}) seen`,
  )
}
