import { referencesOf, saveReferences } from '#features/content/content/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { needsApproval } from '../approval.ts'
import {
  type CheckDeps,
  type CheckResult,
  type CheckSubject,
  checkEarly,
  checkOf,
  refuseErrors,
} from '../check/rules.ts'
import { replacePending } from '../publication-requests/queries.ts'
import { announcePublished, type Published, type PublishOptions } from '../publish.ts'
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
import { type VariantKind, type VariantPatch, variantKinds } from './schemas.ts'

export interface VariantDeps extends CheckDeps {
  readonly onChange: OnSignatureChange
  /** True if the workspace has a channel that can distinguish the kinds of mail. */
  readonly variantsSupported: (db: Db, workspaceId: string) => Promise<boolean>
}

/** The answer of the API for a variant that does not exist. */
const missingVariant = (kind: VariantKind) => ({
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
type VariantOrMissing = StoredVariant | ReturnType<typeof missingVariant>

export async function variantsOf(
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<VariantOrMissing[]> {
  const stored = orNotFound(await findVariants(db, workspaceId, signatureId))
  return variantKinds.map(kind => stored.find(variant => variant.kind === kind) ?? missingVariant(kind))
}

export async function variantOf(
  db: Db,
  workspaceId: string,
  signatureId: string,
  kind: VariantKind,
): Promise<VariantOrMissing> {
  const [variant] = orNotFound(await findVariants(db, workspaceId, signatureId, kind))
  return variant ?? missingVariant(kind)
}

interface LockedVariant {
  readonly signatureId: string
  readonly signatureName: string
  readonly variant: StoredVariant | undefined
}

/** Locks the signature, so its variants are changed by one transaction at a time. */
async function lockVariant(
  tx: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  deps: VariantDeps,
): Promise<LockedVariant> {
  const { id: signatureId, name: signatureName } = orNotFound(await lockSignature(tx, by.workspaceId, id))
  if (!(await deps.variantsSupported(tx, by.workspaceId))) throw variantsUnavailable(deps.publicUrl)
  const [variant] = orNotFound(await findVariants(tx, by.workspaceId, signatureId, kind))
  return { signatureId, signatureName, variant }
}

const variantsUnavailable = (publicUrl: string): Error =>
  apiError('variants_unavailable', {
    remediation: {
      action: 'connect_integration',
      dashboard_url: `${publicUrl}/integrations`,
      message:
        'Connect the Outlook add-in or the SMTP relay, or switch the personal install page on: they can tell replies and internal mail apart.',
    },
  })

const saveVariantReferences = (
  tx: Db,
  workspaceId: string,
  signatureId: string,
  { id, content, draft_content }: Pick<StoredVariant, 'id' | 'content' | 'draft_content'>,
): Promise<void> =>
  saveReferences(tx, workspaceId, { kind: 'variant', id, signatureId }, [
    ...referencesOf(content),
    ...referencesOf(draft_content),
  ])

/**
 * Lets only owners and admins switch a variant if the workspace wants approvals: the switches change mailboxes at once.
 * A variant without published content shows nothing, so `activated` is free until then.
 */
async function refuseUnapprovedSwitch(
  tx: Db,
  by: Caller,
  variant: StoredVariant | undefined,
  { hidden, activated }: Pick<VariantPatch, 'hidden' | 'activated'>,
): Promise<void> {
  const isHiddenChanged = hidden !== undefined && hidden !== (variant?.hidden ?? false)
  const isActivatedChanged =
    activated !== undefined &&
    variant !== undefined &&
    variant.content !== null &&
    activated !== variant.activated
  if (!(isHiddenChanged || isActivatedChanged) || !(await needsApproval(tx, by))) return
  throw apiError('insufficient_role', {
    message:
      'This workspace wants approvals for what goes live: an owner or admin has to change `hidden` and `activated` of a variant.',
  })
}

/** Creates the variant if it does not exist. A new draft does not change installed signatures; the switches do. */
export async function changeVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  patch: VariantPatch,
  deps: VariantDeps,
): Promise<StoredVariant> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const { signatureId, variant } = await lockVariant(tx, by, id, kind, deps)
    if (variant && Object.keys(patch).length === 0) return variant
    const { activated, hidden, show_marketing_campaigns: showMarketingCampaigns } = patch
    await refuseUnapprovedSwitch(tx, by, variant, patch)
    const draftContent = await acceptDraft(tx, workspaceId, patch.draft_content)
    const changes = { draftContent, activated, hidden, showMarketingCampaigns }
    const after = variant
      ? await updateVariant(tx, by, variant.id, changes)
      : await insertVariant(tx, by, signatureId, kind, changes)
    if (draftContent !== undefined) await saveVariantReferences(tx, workspaceId, signatureId, after)
    if ([activated, hidden, showMarketingCampaigns].some(value => value !== undefined))
      await deps.onChange(tx, { workspaceId, signatureId })
    return after
  })
}

export interface VariantPublishOptions extends PublishOptions {
  /** Left out: the first publish activates the variant, later ones leave it as it is. */
  readonly activated?: boolean
}

interface CheckedVariant {
  readonly signatureId: string
  readonly signatureName: string
  readonly variant: StoredVariant
  /** True if the variant is switched on after the publish. */
  readonly isActivated: boolean
  readonly warnings: CheckResult['problems']
}

/** Locks the variant and checks what a publish would make live; then does the work in the same transaction. */
export async function withCheckedVariant<T>(
  db: Db,
  by: Caller,
  { id, kind }: { readonly id: string; readonly kind: VariantKind },
  { deps, options }: { readonly deps: VariantDeps; readonly options: VariantPublishOptions },
  work: (tx: Db, checked: CheckedVariant) => Promise<T>,
): Promise<T> {
  const { workspaceId } = by
  const isActivated = ({ content, activated }: StoredVariant): boolean =>
    options.activated ?? (content === null || activated)
  const subjectFor = (variant: StoredVariant): CheckSubject => ({
    workspaceId,
    signatureId: id,
    draft_content: variant.draft_content,
    content: variant.content,
    isHidden: variant.hidden,
    inactiveVariants: isActivated(variant) ? [] : [kind],
  })
  const [stored] = orNotFound(await findVariants(db, workspaceId, id, kind))
  const early = stored && (await checkEarly(db, subjectFor(stored), deps))
  return db.transaction(async tx => {
    const { signatureId, signatureName, variant } = await lockVariant(tx, by, id, kind, deps)
    if (!variant) throw apiError('variant_not_created')
    if (!variant.draft_content && !variant.content) throw invalid('draft_content', 'blank')
    const check = await checkOf(tx, early, subjectFor(variant), deps)
    refuseErrors(check, variant, options.force)
    const names = { signatureId, signatureName }
    return work(tx, { ...names, variant, isActivated: isActivated(variant), warnings: check.problems })
  })
}

export const publishVariant = (
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  deps: VariantDeps,
  options: VariantPublishOptions = {},
): Promise<Published<StoredVariant>> =>
  withCheckedVariant(db, by, { id, kind }, { deps, options }, async (tx, checked) => {
    const { workspaceId } = by
    const { signatureId, signatureName, variant, isActivated, warnings } = checked
    await options.beforePublish?.(tx)
    await replacePending(tx, by, signatureId, kind)
    const published = await publishDraft(tx, by, variant, isActivated)
    await saveVariantReferences(tx, workspaceId, signatureId, published)
    await announcePublished(tx, workspaceId, { id: signatureId, name: signatureName }, kind)
    await deps.onChange(tx, { workspaceId, signatureId })
    return { published, warnings }
  })

/** Deletes the variant; the API then shows it as not existing. */
export async function resetVariant(
  db: Db,
  by: Caller,
  id: string,
  kind: VariantKind,
  deps: VariantDeps,
): Promise<void> {
  const { workspaceId } = by
  await db.transaction(async tx => {
    const { signatureId, variant } = await lockVariant(tx, by, id, kind, deps)
    if (!variant) return
    await removeVariant(tx, by, variant.id)
    await saveReferences(tx, workspaceId, { kind: 'variant', id: variant.id, signatureId }, [])
    await deps.onChange(tx, { workspaceId, signatureId })
  })
}

/** Copies the variants to a duplicated signature, as drafts. */
export async function copyVariants(tx: Db, workspaceId: string, from: string, to: string): Promise<void> {
  for (const original of (await findVariants(tx, workspaceId, from)) ?? []) {
    const id = await insertCopy(tx, workspaceId, original, to)
    const draft_content = original.draft_content ?? original.content
    await saveVariantReferences(tx, workspaceId, to, { id, content: null, draft_content })
  }
}
