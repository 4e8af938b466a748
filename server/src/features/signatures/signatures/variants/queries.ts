import type { Content } from '@signoff/render'
import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, empty, join, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import { jsonb } from '../queries.ts'
import type { VariantKind } from './schemas.ts'

export interface StoredVariant {
  readonly kind: VariantKind
  readonly exists: true
  readonly id: string
  readonly activated: boolean
  readonly hidden: boolean
  readonly show_marketing_campaigns: boolean
  readonly content: Content | null
  readonly draft_content: Content | null
  readonly last_published_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

const shape = sql`
  v.kind, true as exists, v.id, v.activated, v.hidden, v.show_marketing_campaigns, v.content, v.draft_content,
  ${iso(sql`v.last_published_at`)} as last_published_at, ${iso(sql`v.created_at`)} as created_at, ${iso(sql`v.updated_at`)} as updated_at`

const changedRow = sql`select ${shape} from changed v`

/** Undefined when there is no such signature. */
export async function findVariants(
  db: Db,
  workspaceId: string,
  signatureId: string,
  kind?: VariantKind,
): Promise<StoredVariant[] | undefined> {
  const rows = await db.query<StoredVariant | { id: null }>(sql`
    select ${shape} from signatures s
    left join signature_variants v on v.workspace_id = s.workspace_id and v.signature_id = s.id
      ${kind === undefined ? empty : sql`and v.kind = ${kind}`}
    where s.workspace_id = ${workspaceId} and s.id = ${signatureId}`)
  return rows.length === 0 ? undefined : rows.filter(row => row.id !== null)
}

interface VariantChanges {
  readonly draftContent?: Content | null | undefined
  readonly activated?: boolean | undefined
  readonly hidden?: boolean | undefined
  readonly showMarketingCampaigns?: boolean | undefined
}

export async function insertVariant(
  tx: Db,
  by: Caller,
  signatureId: string,
  kind: VariantKind,
  changes: VariantChanges,
): Promise<StoredVariant> {
  const { id, now } = newRow()
  const { draftContent = null, activated = false, hidden = false, showMarketingCampaigns = true } = changes
  const insert = sql`
    insert into signature_variants as v (workspace_id, signature_id, kind, id, activated, hidden, show_marketing_campaigns,
      draft_content, created_at, updated_at)
    values (${by.workspaceId}, ${signatureId}, ${kind}, ${id}, ${activated}, ${hidden}, ${showMarketingCampaigns},
      ${jsonb(draftContent)}, ${now}, ${now})
    returning v.*`
  const audit = audited(by, 'signature_variant.created', insert, undefined, changedRow)
  const variant = await tx.first<StoredVariant>(audit)
  return variant as StoredVariant
}

async function update(tx: Db, by: Caller, id: string, action: string, sets: readonly Sql[]) {
  const change = sql`
    update signature_variants as v set ${join([...sets, sql`updated_at = ${new Date()}`])}
    where v.workspace_id = ${by.workspaceId} and v.id = ${id}
    returning v.*`
  const variant = await tx.first<StoredVariant>(audited(by, action, change, undefined, changedRow))
  return variant as StoredVariant
}

/** Undefined properties stay unchanged. */
export const updateVariant = (
  tx: Db,
  by: Caller,
  id: string,
  { draftContent, activated, hidden, showMarketingCampaigns: showCampaigns }: VariantChanges,
): Promise<StoredVariant> =>
  update(tx, by, id, 'signature_variant.updated', [
    ...(draftContent === undefined ? [] : [sql`draft_content = ${jsonb(draftContent)}`]),
    ...(activated === undefined ? [] : [sql`activated = ${activated}`]),
    ...(hidden === undefined ? [] : [sql`hidden = ${hidden}`]),
    ...(showCampaigns === undefined ? [] : [sql`show_marketing_campaigns = ${showCampaigns}`]),
  ])

/** The draft, if there is one, becomes the content. */
export const publishDraft = (
  tx: Db,
  by: Caller,
  { id, draft_content }: StoredVariant,
  activated: boolean,
): Promise<StoredVariant> =>
  update(tx, by, id, 'signature_variant.published', [
    sql`activated = ${activated}`,
    ...(draft_content ? [sql`content = draft_content, last_published_at = ${new Date()}`] : []),
  ])

export async function removeVariant(tx: Db, by: Caller, id: string): Promise<void> {
  const remove = sql`delete from signature_variants where workspace_id = ${by.workspaceId} and id = ${id} returning id`
  await tx.query(audited(by, 'signature_variant.deleted', remove))
}

/** Copies a variant as a draft. Not audited separately: the audit entry of the new signature covers it. */
export async function insertCopy(
  tx: Db,
  workspaceId: string,
  { id: originalId, draft_content, content }: StoredVariant,
  signatureId: string,
): Promise<string> {
  const { id, now } = newRow()
  await tx.query(sql`
    insert into signature_variants (workspace_id, signature_id, kind, id, activated, hidden, show_marketing_campaigns,
      draft_content, created_at, updated_at)
    select v.workspace_id, ${signatureId}, v.kind, ${id}, v.activated, v.hidden, v.show_marketing_campaigns,
      ${jsonb(draft_content ?? content)}, ${now}, ${now}
    from signature_variants v where v.workspace_id = ${workspaceId} and v.id = ${originalId}`)
  return id
}
