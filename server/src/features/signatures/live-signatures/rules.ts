import type { Content } from '@signoff/render'
import { type DrawnPreview, toPreview } from '#features/content/content/index.ts'
import type { TrackedItem } from '#features/measurement/tracking/index.ts'
import { findCampaign } from '#features/signatures/campaigns/index.ts'
import { hasSignature, type VariantKind } from '#features/signatures/signatures/index.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { isRecipient, publishedContent } from './queries.ts'
import { type RenderContext, renderOne } from './render.ts'

/** The published signature, rendered for one of its recipients. */
export async function signatureFor(
  db: Db,
  context: RenderContext,
  signatureId: string,
  emailId: string | undefined,
): Promise<DrawnPreview> {
  const { workspaceId } = context
  if (!(await hasSignature(db, workspaceId, signatureId))) throw apiError('not_found')
  if (emailId === undefined) throw invalid('email_id', 'missing', { missing: ['email_id'] })
  if (!orNotFound(await isRecipient(db, workspaceId, signatureId, emailId)))
    throw invalid('email_id', 'not_a_recipient')
  const live = await renderOne(db, context, { emailId, signatureId, variant: null })
  if (!live) throw apiError('no_signature_to_install')
  return toPreview(live)
}

/** The content that is published now for the item a mail was sent with; null when the item was deleted. */
export async function currentContent(db: Db, item: TrackedItem): Promise<Content | null> {
  const { workspaceId, signatureId, variant, campaignId, campaignVariant } = item
  if (campaignId === null)
    return (
      (await publishedContent(db, workspaceId, signatureId, variant as VariantKind | null))?.content ?? null
    )
  const campaign = await findCampaign(db, workspaceId, campaignId)
  if (campaignVariant === null) return campaign?.content ?? null
  return campaign?.variants.find(banner => banner.id === campaignVariant)?.content ?? null
}
