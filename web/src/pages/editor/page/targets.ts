// What an editor can change: the draft of a signature, the draft of one of its variants, or a banner of a campaign.
import { type Content, fillIds } from '@signoff/render'
import type { Content as SentContent } from '@signoff/sdk'
import { api } from '../../../api/client.ts'
import { type Versioned, versioned } from '../../../api/versioned.ts'
import type { ContentKind } from '../model/block.ts'
import { newId } from '../model/ids.ts'
import { readSignature } from './early-reads.ts'

export type MailKind = 'new' | 'reply' | 'internal'

export interface EditorTarget {
  /** Names the history that is kept in the browser. */
  readonly key: string
  readonly kind: ContentKind
  /** The signature or the campaign, as the audit log names it. */
  readonly resourceId: string
  /** The signature whose campaigns are shown, and whose check is. */
  readonly signatureId: string | undefined
  readonly variant?: 'reply' | 'internal'
  readonly read: () => Promise<Versioned<Content> & { readonly name: string }>
  /** Answers the new version. */
  readonly save: (content: Content, version: string | undefined) => Promise<string | undefined>
}

const emptyContent: Content = { type: 'stack', children: [] }

const withIds = (content: unknown): Content => fillIds((content as Content | null) ?? emptyContent, newId)
/** The renderer checks it; the type of the SDK has the same fields with arrays that can be changed. */
const sent = (content: Content) => content as unknown as SentContent
const onlyIf = (version: string | undefined) => (version === undefined ? {} : { ifMatch: version })

export const signatureTarget = (id: string): EditorTarget => ({
  key: `signature ${id}`,
  kind: 'signature',
  resourceId: id,
  signatureId: id,
  async read() {
    const { data, etag } = await readSignature(id)
    return { name: data.name, data: withIds(data.draft_content ?? data.content), etag }
  },
  save: async (content, version) =>
    (await versioned(api.signatures.update(id, { draft_content: sent(content) }, onlyIf(version)))).etag,
})

/** A variant that does not exist yet begins as a copy of the signature; the first change makes it. */
export const variantTarget = (id: string, kind: Exclude<MailKind, 'new'>): EditorTarget => ({
  key: `signature ${id} ${kind}`,
  kind: 'signature',
  resourceId: id,
  signatureId: id,
  variant: kind,
  async read() {
    const [{ data: signature }, { data, etag }] = await Promise.all([
      readSignature(id),
      versioned(api.signatures.variants.get(id, kind)),
    ])
    const own = data.exists ? (data.draft_content ?? data.content) : null
    return {
      name: signature.name,
      data: withIds(own ?? signature.draft_content ?? signature.content),
      etag,
    }
  },
  save: async (content, version) =>
    (
      await versioned(
        api.signatures.variants.update(id, kind, { draft_content: sent(content) }, onlyIf(version)),
      )
    ).etag,
})

/** Without a variant: the banner of a campaign that compares none. */
export const bannerTarget = (id: string, variantId: string | undefined): EditorTarget => {
  const read = () => versioned(api.marketingCampaigns.get(id))
  return {
    key: `campaign ${id} ${variantId ?? ''}`,
    kind: 'campaign',
    resourceId: id,
    signatureId: undefined,
    async read() {
      const { data, etag } = await read()
      const variant = data.variants?.find(each => each.id === variantId)
      return {
        name: variant ? `${data.name} · ${variant.name}` : data.name,
        data: withIds(variant ? variant.content : data.content),
        etag,
      }
    },
    async save(content, version) {
      if (variantId === undefined)
        return (
          await versioned(api.marketingCampaigns.update(id, { content: sent(content) }, onlyIf(version)))
        ).etag
      const { data } = await read()
      const variants = (data.variants ?? []).map(variant => ({
        ...variant,
        content: (variant.id === variantId ? sent(content) : variant.content) as SentContent,
      }))
      return (await versioned(api.marketingCampaigns.update(id, { variants }, onlyIf(version)))).etag
    },
  }
}
