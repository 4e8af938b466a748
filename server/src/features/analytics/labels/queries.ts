import { type Db, type Sql, sql } from '#kernel/db.ts'
import { parseVariantKey } from '../dimension.ts'

export type LabelKind = 'signature_template' | 'marketing_campaign' | 'campaign_variant' | 'teammate'

/** Run this in the transaction that deletes the object: its counts are still shown under this label afterwards. */
export const saveLabel = (tx: Db, workspaceId: string, kind: LabelKind, id: string, label: string) =>
  tx.query(sql`
    insert into analytics_labels (workspace_id, kind, id, label) values (${workspaceId}, ${kind}, ${id.toLowerCase()}, ${label})
    on conflict (workspace_id, kind, id) do update set label = excluded.label`)

export type Labels = ReadonlyMap<string, string>

const toMap = (rows: readonly { id: string; label: string }[]): Labels =>
  new Map(rows.map(({ id, label }) => [id, label]))

export const savedLabels = async (
  db: Db,
  workspaceId: string,
  kind: LabelKind,
  ids: readonly string[],
): Promise<Labels> =>
  toMap(
    await db.query(sql`
      select id, label from analytics_labels
      where workspace_id = ${workspaceId} and kind = ${kind} and id = any(${ids}::text[])`),
  )

export const signatureLabels = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> =>
  toMap(
    await db.query(sql`
      select id::text, name as label from signatures where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`),
  )

const campaignLabelRows = (workspaceId: string, ids: readonly string[]): Sql => sql`
  select 'marketing_campaign' as kind, id::text as id, name as label from marketing_campaigns
  where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
  union all
  select 'campaign_variant', c.id || ':' || (v ->> 'id'), c.name || ': ' || (v ->> 'name')
  from marketing_campaigns c, jsonb_array_elements(c.variants) v
  where c.workspace_id = ${workspaceId} and c.id = any(${ids}::uuid[])`

export const campaignLabels = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> =>
  toMap(
    await db.query(
      sql`select id, label from (${campaignLabelRows(workspaceId, ids)}) l where kind = 'marketing_campaign'`,
    ),
  )

/** Labels by variant key. */
export const variantLabels = async (db: Db, workspaceId: string, keys: readonly string[]): Promise<Labels> =>
  toMap(
    await db.query(sql`
      select id, label from (${campaignLabelRows(workspaceId, [...new Set(keys.map(key => parseVariantKey(key).campaignId))])}) l
      where kind = 'campaign_variant' and id = any(${keys}::text[])`),
  )

/** Run this in the transaction that deletes a campaign or replaces its variants, before that statement. */
export const saveCampaignLabels = (tx: Db, workspaceId: string, id: string) =>
  tx.query(sql`
    insert into analytics_labels (workspace_id, kind, id, label)
    select ${workspaceId}::uuid, kind, id, label from (${campaignLabelRows(workspaceId, [id])}) l
    on conflict (workspace_id, kind, id) do update set label = excluded.label`)

/** First and last name; without them the primary address. */
export const teammateLabels = async (db: Db, workspaceId: string, ids: readonly string[]): Promise<Labels> =>
  toMap(
    await db.query(sql`
      select t.id::text, coalesce(nullif(concat_ws(' ', nullif(first.value, ''), nullif(last.value, '')), ''), (
          select e.address from emails e
          where e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null)) as label
      from teammates t
      left join smart_fields ff on ff.workspace_id = t.workspace_id and ff.key = 'first_name'
      left join smart_field_values first
        on first.workspace_id = t.workspace_id and first.teammate_id = t.id and first.smart_field_id = ff.id
      left join smart_fields lf on lf.workspace_id = t.workspace_id and lf.key = 'last_name'
      left join smart_field_values last
        on last.workspace_id = t.workspace_id and last.teammate_id = t.id and last.smart_field_id = lf.id
      where t.workspace_id = ${workspaceId} and t.id = any(${ids}::uuid[]) and t.deleted_at is null`),
  )
