import { ownDomains } from '#features/workspace/workspaces/index.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { tallied } from '#kernel/db/tallies.ts'

/** Counting stops here, so that the page that shows the numbers is fast in any workspace. */
export const mostCounted = 1_000
/** Missing values are counted of so many people, the newest: about 10 ms of PostgreSQL. */
export const mostPeople = 500

export interface SetUpFacts {
  readonly is_dismissed: boolean
  readonly brand: number
  readonly people: number
  readonly signature: number
  readonly recipients: number
  readonly publish: number
  readonly install: number
  readonly members: number
  readonly domains: number
}

interface AttentionFacts {
  readonly failed_installations: number
  readonly people_with_missing_values: number
  readonly people_with_missing_values_is_lower_bound: boolean
  readonly halted_channels: number
  readonly failing_webhooks: number
}

const upTo = (rows: Sql): Sql => sql`(select count(*)::int from (${rows} limit ${mostCounted}) counted)`

export async function readSetUp(db: Db, workspaceId: string): Promise<SetUpFacts | undefined> {
  const inWorkspace = sql`where workspace_id = ${workspaceId}`
  return db.first<SetUpFacts>(sql`
    select checklist_dismissed_at is not null as is_dismissed, cardinality(${ownDomains(workspaceId)}) as domains,
      ${upTo(sql`
        select from brands ${inWorkspace}
          and (logo_asset_id is not null or colors <> '{}' or font_family is not null or website is not null)`)} as brand,
      (${tallied(workspaceId, 'seats')})::int as people,
      ${upTo(sql`
        select from signatures ${inWorkspace} and (content is not null or draft_content is not null)`)} as signature,
      ${upTo(sql`select from recipients ${inWorkspace}`)} as recipients,
      ${upTo(sql`select from signatures ${inWorkspace} and content is not null`)} as publish,
      ${upTo(sql`select from installations ${inWorkspace} and status = 'installed'`)} as install,
      ${upTo(sql`select from members ${inWorkspace} and role <> 'owner'`)} as members
    from workspaces where id = ${workspaceId}`)
}

/** The fields that live signatures show and that have no fallback, by signature. */
const fieldsOfLive = (workspaceId: string): Sql => sql`
  select s.id as signature_id, array_agg(f.id) as fields
  from signatures s
  join content_references c on c.workspace_id = s.workspace_id and c.holder_kind = 'signature' and c.holder_id = s.id
    and c.target_kind = 'smart_field'
  join smart_fields f on f.workspace_id = c.workspace_id and f.id = c.target_id
  where s.workspace_id = ${workspaceId} and s.signature_installation_activated and s.content is not null
    and f.fallback is null and not f.computed
  group by s.id`

const peopleWithMissingValues = (workspaceId: string): Sql => sql`
  select count(*)::int from (
    select id from teammates where workspace_id = ${workspaceId} and active and deleted_at is null
    order by id desc limit ${mostPeople}
  ) t
  where exists (
    select from emails e
    join recipients r on r.workspace_id = e.workspace_id and r.email_id = e.id
    join used u on u.signature_id = r.signature_id
    where e.workspace_id = ${workspaceId} and e.teammate_id = t.id and e.deleted_at is null
      and cardinality(u.fields) > (
        select count(*) from smart_field_values v
        where v.workspace_id = ${workspaceId} and v.teammate_id = t.id and v.smart_field_id = any(u.fields)))`

export async function readAttention(db: Db, workspaceId: string): Promise<AttentionFacts> {
  const inWorkspace = sql`where workspace_id = ${workspaceId}`
  const facts = await db.first<AttentionFacts>(sql`
    with used as materialized (${fieldsOfLive(workspaceId)})
    select
      ${upTo(sql`select from installations ${inWorkspace} and status = 'failed'`)} as failed_installations,
      case when exists (select from used) then (${peopleWithMissingValues(workspaceId)}) else 0 end
        as people_with_missing_values,
      exists (select from used) and (${tallied(workspaceId, 'seats')}) > ${mostPeople}
        as people_with_missing_values_is_lower_bound,
      ${upTo(sql`
        select from integrations ${inWorkspace} and deleted_at is null and error_since is not null`)} as halted_channels,
      ${upTo(sql`
        select from webhooks ${inWorkspace}
          and (disabled_reason is not null or (active and failing_since is not null))`)} as failing_webhooks`)
  return facts as AttentionFacts
}
