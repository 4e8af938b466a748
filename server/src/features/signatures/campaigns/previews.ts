// Previews of a campaign's banner without a signature, as HTML and as text.
import type { Content } from '@signoff/render'
import type { ContactCards } from '#features/content/contact-cards/index.ts'
import { type DrawnPreview, referencesOf, renderPreview } from '#features/content/content/index.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { assignVariant } from './banners/assign-variant.ts'
import { findCampaign } from './queries.ts'
import type { Campaign } from './schemas.ts'

export interface CampaignPreviewDeps {
  readonly publicUrl: string
  readonly cards: ContactCards
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

export interface CampaignPreview extends DrawnPreview {
  readonly variants: readonly (DrawnPreview & { readonly id: string; readonly name: string })[]
}

const emptyContent: Content = { type: 'stack', children: [] }

const noContent = {
  code: 'no_content',
  message: 'The campaign has no content: it runs and shows nothing.',
  id: null,
}
export const noMail = {
  code: 'mail_unavailable',
  message: 'Nobody can be mailed when it goes live: no mail server is configured (SIGNOFF_SMTP_URL).',
  id: null,
} as const

/** The main preview is the variant that this address sees; without an address, the first variant. */
export async function previewCampaign(
  db: Db,
  workspaceId: string,
  id: string,
  emailId: string | undefined,
  deps: CampaignPreviewDeps,
): Promise<CampaignPreview> {
  const campaign = orNotFound(await findCampaign(db, workspaceId, id))
  const draw = async (content: Content | null): Promise<DrawnPreview> => {
    const drawn = await renderPreview(db, {
      workspaceId,
      publicUrl: deps.publicUrl,
      cards: deps.cards,
      content: content ?? emptyContent,
      references: referencesOf(content),
      emailId: emailId ?? null,
    })
    if (!drawn) throw invalid('email_id', 'unknown_reference')
    return content === null ? { ...drawn, warnings: [noContent] } : drawn
  }
  const variants = await Promise.all(
    campaign.variants.map(async variant => ({
      id: variant.id,
      name: variant.name,
      ...(await draw(variant.content)),
    })),
  )
  const seenVariant = variants.find(variant => variant.id === variantIdFor(campaign, emailId)) ?? variants[0]
  const mainPreview = seenVariant ?? (await draw(campaign.content))
  const { html, text, bytes, warnings } = mainPreview
  const cannotMail = campaign.send_email && !deps.sendsMail
  return { html, text, bytes, warnings: cannotMail ? [...warnings, noMail] : warnings, variants }
}

const variantIdFor = ({ id, variants }: Campaign, emailId: string | undefined): string | undefined =>
  emailId && assignVariant(id, emailId, variants)?.id

export function variantIn({ variants }: CampaignPreview, id: string): DrawnPreview {
  const variant = variants.find(candidate => candidate.id === id.toLowerCase())
  if (!variant) throw invalid('variant_id', 'unknown_reference')
  return variant
}
