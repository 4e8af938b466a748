import { referencesOf, saveReferences } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError, invalid, orNotFound } from '#kernel/errors.ts'
import type { Caller } from '#kernel/scopes.ts'
import { lockSignature } from '../queries.ts'
import { acceptDraft, type OnSignatureChange } from '../rules.ts'
import {
  findVariants,
  insertCopy,
  insertVariant,
  publishDraft,
  removeVariant,
  type StoredVariant,
  updateVariant,
} from './queries.ts'
import { kinds, type VariantKind, type VariantPatch } from './schemas.ts'

export interface VariantDeps {
  readonly publicUrl: string
  readonly onChange: OnSignatureChange
  /** Whether the workspace has a channel that can tell the kinds of mail apart. */
  readonly variantsSupported: (db: Db, workspaceId: string) => Promise<boolean>
}

/** Until it is made. */
const absent = (kind: VariantKind) => ({
  kind,
  exists: false,
  id: null,
  activated: false,
  hidden: false,
  show_marketing_campaigns: false,
  content: null,
  draft_content: null,
  last_published_at: null,
  created_at: null,
  updated_at: null,
})
type Shown = StoredVariant | ReturnType<typeof absent>

export async function variantsOf(db: Db, workspaceId: string, signatureId: string): Promise<Shown[]> {
  const made = orNotFound(await findVariants(db, workspaceId, signatureId))
  return kinds.map(kind => made.find(variant => variant.kind === kind) ?? absent(kind))
}

export async function variantOf(
  db: Db,
  workspaceId: string,
  signatureId: string,
  kind: VariantKind,
): Promise<Shown> {
  const [variant] = orNotFound(await findVariants(db, workspaceId, signatureId, kind))
  return variant ?? absent(kind)
}

interface Held {
  readonly signatureId: string
  readonly variant: StoredVariant | undefined
}

/** One at a time changes the variants of a signature. */
async function hold(tx: Db, by: Caller, id: string, kind: VariantKind, settings: VariantDeps): Promise<Held> {
  const { id: signatureId } = orNotFound(await lockSignature(tx, by.workspaceId, id))
  if (!(await settings.variantsSupported(tx, by.workspaceId))) throw unavailable(settings.publicUrl)
  const [variant] = orNotFound(await findVariants(tx, by.workspaceId, signatureId, kind))
  return { signatureId, variant }
}

const unavailable = (publicUrl: string): Error =>
  apiError('variants_unavailable', {
    remediation: {
      action: 'connect_integration',
      dashboard_url: publicUrl,
      message:
        'Connect the Outlook add-in or the SMTP relay, or switch the personal install page on: they can tell replies and internal mail apart.',
    },
  })

const keepVariantReferences = (
  tx: Db,
  workspaceId: string,
  signatureId: string,
  { id, content, draft_content }: Pick<StoredVariant, 'id' | 'content' | 'draft_content'>,
): Promise<void> =>
  saveReferences(tx, workspaceId, { kind: 'variant', id, signatureId }, [
    ...referencesOf(content),
    ...referencesOf(draft_content),
  ])

/** Makes it when it does not exist. A draft changes nobody's signature; the switches do. */
export async function changeVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  patch: VariantPatch,
  settings: VariantDeps,
): Promise<StoredVariant> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const { signatureId, variant } = await hold(tx, by, id, kind, settings)
    if (variant && Object.keys(patch).length === 0) return variant
    const { activated, hidden, show_marketing_campaigns: showMarketingCampaigns } = patch
    const draftContent = await acceptDraft(tx, workspaceId, patch.draft_content)
    const changes = { draftContent, activated, hidden, showMarketingCampaigns }
    const after = variant
      ? await updateVariant(tx, by, variant.id, changes)
      : await insertVariant(tx, by, signatureId, kind, changes)
    if (draftContent !== undefined) await keepVariantReferences(tx, workspaceId, signatureId, after)
    if ([activated, hidden, showMarketingCampaigns].some(sent => sent !== undefined))
      await settings.onChange(tx, { workspaceId, signatureId })
    return after
  })
}

export async function publishVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  settings: VariantDeps,
): Promise<StoredVariant> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const { signatureId, variant } = await hold(tx, by, id, kind, settings)
    if (!variant) throw apiError('variant_not_created')
    if (!variant.draft_content && !variant.content) throw invalid('draft_content', 'blank')
    const published = await publishDraft(tx, by, variant)
    await keepVariantReferences(tx, workspaceId, signatureId, published)
    await settings.onChange(tx, { workspaceId, signatureId })
    return published
  })
}

/** Back to "does not exist". */
export async function resetVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  settings: VariantDeps,
): Promise<void> {
  const { workspaceId } = by
  await db.transaction(async tx => {
    const { signatureId, variant } = await hold(tx, by, id, kind, settings)
    if (!variant) return
    await removeVariant(tx, by, variant.id)
    await saveReferences(tx, workspaceId, { kind: 'variant', id: variant.id, signatureId }, [])
    await settings.onChange(tx, { workspaceId, signatureId })
  })
}

/** As drafts, for a signature that was copied. */
export async function copyVariants(tx: Db, workspaceId: string, from: string, to: string): Promise<void> {
  for (const original of (await findVariants(tx, workspaceId, from)) ?? []) {
    const id = await insertCopy(tx, workspaceId, original, to)
    const draft_content = original.draft_content ?? original.content
    await keepVariantReferences(tx, workspaceId, to, { id, content: null, draft_content })
  }
}
