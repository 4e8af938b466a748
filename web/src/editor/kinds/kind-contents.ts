// What each kind of mail has: the draft of the signature, and those of its variants.
import { type Content, fillIds } from '@signoff/render'
import type { SignatureVariant } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { newId } from '#records/content/ids.ts'
import { contentOfVariant } from '#records/signatures/make-variant.ts'
import type { MailKind } from '../page/targets.ts'

export const mailKinds = ['new', 'reply', 'internal'] as const
export type VariantKind = Exclude<MailKind, 'new'>

export interface KindContent {
  /** Null: the kind of mail has nothing of its own. */
  readonly content: Content | null
  /** A variant that sends no signature at all. */
  readonly isHidden: boolean
  readonly hasCampaigns: boolean
  /** Published and switched on. */
  readonly isLive: boolean
}

export interface KindContents {
  readonly name: string
  readonly byKind: Readonly<Record<MailKind, KindContent>>
  /** False: no connected channel can tell the kinds of mail apart. */
  readonly isSupported: boolean
}

const filled = (content: unknown): Content | null => (content ? fillIds(content as Content, newId) : null)

const ofVariant = (variant: SignatureVariant | undefined): KindContent => ({
  content: variant ? filled(contentOfVariant(variant)) : null,
  isHidden: variant?.hidden ?? false,
  hasCampaigns: variant?.exists ? variant.show_marketing_campaigns : true,
  isLive: variant?.activated === true && variant.last_published_at !== null,
})

export const kindsQuery = (id: string) => ({
  queryKey: ['signatures', 'kinds', id] as const,
  queryFn: async (): Promise<KindContents> => {
    const [signature, { data: variants, supported }] = await Promise.all([
      api.signatures.get(id),
      api.signatures.variants
        .list(id)
        .raw()
        .then(({ body }) => body),
    ])
    const main = filled(signature.draft_content ?? signature.content)
    const variant = (kind: VariantKind) => ofVariant(variants.find(each => each.kind === kind))
    return {
      name: signature.name,
      isSupported: supported,
      byKind: {
        new: { content: main, isHidden: false, hasCampaigns: true, isLive: signature.content !== null },
        reply: variant('reply'),
        internal: variant('internal'),
      },
    }
  },
  staleTime: 5_000,
})

export const emptyContent = (): Content => ({ type: 'stack', id: newId(), children: [] })
