import type { Content, LinkSource } from '@signoff/render'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { parseVariantKey } from '../dimension.ts'

export type LabelKind = 'signature_template' | 'marketing_campaign' | 'campaign_variant' | 'teammate'

/** Run this in the transaction that deletes the object: its counts are still shown under this label afterwards. */
export const saveLabel = (tx: Db, workspaceId: string, kind: LabelKind, id: string, label: string) =>
  tx.query(sql`
    insert into analytics_labels (workspace_id, kind, id, label) values (${workspaceId}, ${kind}, ${id.toLowerCase()}, ${label})
    on conflict (workspace_id, kind, id) do update set label = excluded.label`)

export type Labels = ReadonlyMap<string, string>

interface Label {
  readonly id: string
  readonly label: string
}

export const labelsById = (labels: readonly Label[]): Labels =>
  new Map(labels.map(({ id, label }) => [id, label]))

export const savedLabels = (db: Db, workspaceId: string, kind: LabelKind, ids: readonly string[]) =>
  db.query<Label>(sql`
    select id, label from analytics_labels
    where workspace_id = ${workspaceId} and kind = ${kind} and id = any(${ids}::text[])`)

export const signatureLabels = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query<Label>(sql`
    select id::text, name as label from signatures where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`)

const campaignLabelRows = (workspaceId: string, ids: readonly string[]): Sql => sql`
  select 'marketing_campaign' as kind, id::text as id, name as label from marketing_campaigns
  where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
  union all
  select 'campaign_variant', c.id || ':' || (v ->> 'id'), c.name || ': ' || (v ->> 'name')
  from marketing_campaigns c, jsonb_array_elements(c.variants) v
  where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[])`

export const campaignLabels = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query<Label>(
    sql`select id, label from (${campaignLabelRows(workspaceId, ids)}) l where kind = 'marketing_campaign'`,
  )

/** Labels by variant key. */
export const variantLabels = (db: Db, workspaceId: string, keys: readonly string[]) =>
  db.query<Label>(sql`
    select id, label from (${campaignLabelRows(workspaceId, [...new Set(keys.map(key => parseVariantKey(key).campaignId))])}) l
    where kind = 'campaign_variant' and id = any(${keys}::text[])`)

/** Run this in the transaction that deletes a campaign or replaces its variants, before that statement. */
export const saveCampaignLabels = (tx: Db, workspaceId: string, id: string) =>
  tx.query(sql`
    insert into analytics_labels (workspace_id, kind, id, label)
    select ${workspaceId}::uuid, kind, id, label from (${campaignLabelRows(workspaceId, [id])}) l
    on conflict (workspace_id, kind, id) do update set label = excluded.label`)

/** First and last name; without them the primary address. */
export const teammateLabelRows = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query<Label>(sql`
    select t.id::text, coalesce(nullif(concat_ws(' ', nullif(first.value, ''), nullif(last.value, '')), ''), (
        select e.address from emails e
        where e.workspace_id = ${workspaceId} and e.teammate_id = t.id and e.is_primary and e.deleted_at is null)) as label
    from teammates t
    left join smart_fields ff on ff.workspace_id = t.workspace_id and ff.key = 'first_name'
    left join smart_field_values first
      on first.workspace_id = t.workspace_id and first.teammate_id = t.id and first.smart_field_id = ff.id
    left join smart_fields lf on lf.workspace_id = t.workspace_id and lf.key = 'last_name'
    left join smart_field_values last
      on last.workspace_id = t.workspace_id and last.teammate_id = t.id and last.smart_field_id = lf.id
    where t.workspace_id = ${workspaceId} and t.id = any(${ids}::uuid[]) and t.deleted_at is null`)

/** The published contents of signatures, variants and campaigns that have one of these ids, the oldest first. */
export const contentsWithLinks = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.column<Content>(sql`
    select content from (
      select content, last_published_at as changed_at from signatures
      where workspace_id = ${workspaceId} and content is not null
      union all
      select content, last_published_at from signature_variants
      where workspace_id = ${workspaceId} and content is not null
      union all
      select content, updated_at from marketing_campaigns where workspace_id = ${workspaceId} and content is not null
      union all
      select v -> 'content', c.updated_at from marketing_campaigns c, jsonb_array_elements(c.variants) v
      where c.workspace_id = ${workspaceId} and jsonb_typeof(v -> 'content') = 'object') contents
    where jsonb_path_query_array(content, '$.**.id') ?| ${ids}::text[]
    order by changed_at nulls first`)

interface EarlierLink {
  readonly id: string
  readonly link: LinkSource
  /** The version of the signature that was live when the link was made; null when there is none. */
  readonly content: Content | null
}

/** Links that mails had, from the newest content that had them. */
export const earlierLinks = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query<EarlierLink>(sql`
    select found.id, found.link, version.content from (
      select distinct on (link ->> 'id') link ->> 'id' as id, link, s.kind, s.signature_id, s.created_at
      from tracked_sources s, jsonb_array_elements(s.links) link
      where s.workspace_id = ${workspaceId} and link ->> 'id' = any(${ids}::text[])
      order by link ->> 'id', s.number desc) found
    left join lateral (
      select v.content from signature_versions v
      where v.workspace_id = ${workspaceId} and v.signature_id = found.signature_id and found.kind = 'signature'
        and v.published_at <= found.created_at
      order by v.number desc limit 1) version on true`)

/** Labels of smart fields by their ids. */
export const fieldLabels = (db: Db, workspaceId: string) =>
  db.query<Label>(sql`select id::text, label from smart_fields where workspace_id = ${workspaceId}`)
