// A campaign's banner by itself, as HTML and as text.
import type { Content } from '@signoff/render'
import { type DrawnPreview, preview, referencesOf } from '#features/content/index.ts'
import type { Db } from '#kernel/db.ts'
import { invalid, orNotFound } from '#kernel/errors.ts'
import { assignVariant } from './banners/assign-variant.ts'
import { type Campaign, findCampaign } from './queries.ts'

export interface CampaignPreviewDeps {
  readonly publicUrl: string
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
}

export interface CampaignPreview extends DrawnPreview {
  readonly variants: readonly (DrawnPreview & { readonly id: string; readonly name: string })[]
}

const nothing: Content = { type: 'stack', children: [] }

const noContent = {
  code: 'no_content',
  message: 'The campaign has no content: it runs and shows nothing.',
  id: null,
}
const noMail = {
  code: 'mail_unavailable',
  message: 'Nobody can be mailed when it goes live: no mail server is configured (SIGNOFF_SMTP_URL).',
  id: null,
}

/** Of several banners the one that this address sees comes first; without an address, the first one there is. */
export async function previewCampaign(
  db: Db,
  workspaceId: string,
  id: string,
  emailId: string | undefined,
  settings: CampaignPreviewDeps,
): Promise<CampaignPreview> {
  const campaign = orNotFound(await findCampaign(db, workspaceId, id))
  const draw = async (content: Content | null): Promise<DrawnPreview> => {
    const drawn = await preview(db, {
      workspaceId,
      publicUrl: settings.publicUrl,
      content: content ?? nothing,
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
  const seen = variants.find(variant => variant.id === seenBy(campaign, emailId)) ?? variants[0]
  const shown = seen ?? (await draw(campaign.content))
  const { html, text, bytes, warnings } = shown
  const isMuted = campaign.send_email && !settings.sendsMail
  return { html, text, bytes, warnings: isMuted ? [...warnings, noMail] : warnings, variants }
}

const seenBy = ({ id, variants }: Campaign, emailId: string | undefined): string | undefined =>
  emailId && assignVariant(id, emailId, variants)?.id

export function variantIn({ variants }: CampaignPreview, id: string): DrawnPreview {
  const variant = variants.find(one => one.id === id.toLowerCase())
  if (!variant) throw invalid('variant_id', 'unknown_reference')
  return variant
}
