// What a preview shows: whose values, on which kind of mail, draft or live, with which campaign.
import type { InstallablePreview, Signature } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'

export type PreviewKind = 'new' | 'reply' | 'internal'
export type PreviewView = 'desktop' | 'phone' | 'dark' | 'text'
export type PreviewSource = 'draft' | 'published'

interface PreviewChoice {
  readonly kind: PreviewKind
  readonly source: PreviewSource
  readonly emailId: string | undefined
  /** The id of a campaign, `none`, or undefined for the one that runs. */
  readonly campaign: string | undefined
}

export const variantsQuery = (id: string) => ({
  queryKey: ['signatures', 'variants', id] as const,
  queryFn: async () => (await api.signatures.variants.list(id).raw()).body,
})

/** Null: this kind of mail has no signature. */
async function loadPreview(id: string, choice: PreviewChoice): Promise<InstallablePreview | null> {
  const { kind, source, emailId, campaign } = choice
  const shared = { ...(emailId && { email_id: emailId }), ...(campaign && { campaign }) }
  if (kind === 'new') return api.signatures.preview(id, { ...shared, source })
  const variant = await api.signatures.variants.get(id, kind)
  if (variant.exists && variant.hidden) return null
  const content = source === 'draft' ? (variant.draft_content ?? variant.content) : variant.content
  if (!variant.exists || !content) return api.signatures.preview(id, { ...shared, source })
  const options = variant.show_marketing_campaigns ? shared : { ...shared, campaign: 'none' }
  return api.content.preview({ content, ...options })
}

export const usePreview = (signature: Signature, choice: PreviewChoice) =>
  useQuery({
    queryKey: ['signatures', 'preview', signature.id, signature.updated_at, choice],
    queryFn: () => loadPreview(signature.id, choice),
    placeholderData: keepPreviousData,
  })
