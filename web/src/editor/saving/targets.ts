// What an editor can change: the draft of a signature, the draft of one of its variants, or a banner of a campaign.
import { type Content, fillIds } from '@signoff/render'
import { type Content as SentContent, SignoffError } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { campaignPath } from '#records/campaigns/campaign-data.ts'
import type { ContentKind } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { contentOfVariant } from '#records/signatures/make-variant.ts'
import { signaturePath } from '#records/signatures/signature-data.ts'
import { isStale } from '#state/errors.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import { readSignature } from './early-reads.ts'

export type MailKind = 'new' | 'reply' | 'internal'

export interface AuditedSaves {
  readonly actions: readonly string[]
  readonly resourceId: () => Promise<string | null>
}

export interface ReadContent extends Versioned<Content> {
  readonly name: string
  /** Each save reaches mailboxes by itself: the banner of a campaign that runs. */
  readonly isLive?: boolean
}

export interface EditorTarget {
  /** Names the history that is kept in the browser. */
  readonly key: string
  readonly kind: ContentKind
  /** The entries of the audit log about saves of the content. */
  readonly audit: AuditedSaves
  /** The signature whose campaigns are shown, and whose check is. */
  readonly signatureId: string | undefined
  readonly variant?: 'reply' | 'internal'
  readonly read: () => Promise<ReadContent>
  /** Answers the new version. */
  readonly save: (content: Content, version: string | undefined) => Promise<string | undefined>
  /** Keeps content whose signature or campaign was deleted. Answers the address of its editor. */
  readonly createNew: (name: string, content: Content) => Promise<string>
}

const emptyContent: Content = { type: 'stack', children: [] }

const withIds = (content: unknown): Content => fillIds((content as Content | null) ?? emptyContent, newId)
/** The renderer checks it; the type of the SDK has the same fields with arrays that can be changed. */
const sent = (content: Content) => content as unknown as SentContent
const onlyIf = (version: string | undefined) => (version === undefined ? {} : { ifMatch: version })

/** A variant was removed. The service answers the signature or the campaign without it. */
const missing = () =>
  new SignoffError(
    { error: { type: 'not_found', code: 'not_found', message: 'The variant does not exist any more' } },
    404,
  )

const newSignature = async (name: string, content: Content): Promise<string> =>
  `${signaturePath((await api.signatures.create({ name, draft_content: sent(content) })).id)}/edit`

export const signatureTarget = (id: string): EditorTarget => ({
  key: `signature ${id}`,
  kind: 'signature',
  audit: { actions: ['signature.updated', 'signature.version_restored'], resourceId: async () => id },
  signatureId: id,
  async read() {
    const { data, etag } = await readSignature(id)
    return { name: data.name, data: withIds(data.draft_content ?? data.content), etag }
  },
  save: async (content, version) =>
    (await versioned(api.signatures.update(id, { draft_content: sent(content) }, onlyIf(version)))).etag,
  createNew: newSignature,
})

/** A variant that exists: `makeVariant` makes it. */
export const variantTarget = (id: string, kind: Exclude<MailKind, 'new'>): EditorTarget => {
  const read: EditorTarget['read'] = async () => {
    const [{ data: signature }, { data, etag }] = await Promise.all([
      readSignature(id),
      versioned(api.signatures.variants.get(id, kind)),
    ])
    const content = contentOfVariant(data)
    if (!content) throw missing()
    return { name: signature.name, data: withIds(content), etag }
  }
  return {
    key: `signature ${id} ${kind}`,
    kind: 'signature',
    audit: {
      actions: ['signature_variant.created', 'signature_variant.updated'],
      resourceId: async () => (await api.signatures.variants.get(id, kind)).id,
    },
    signatureId: id,
    variant: kind,
    read,
    async save(content, version) {
      const patch = { draft_content: sent(content) }
      try {
        return (await versioned(api.signatures.variants.update(id, kind, patch, onlyIf(version)))).etag
      } catch (error) {
        // A removed variant has another version too: that is no conflict.
        if (isStale(error)) await read()
        throw error
      }
    },
    createNew: newSignature,
  }
}

/** Without a variant: the banner of a campaign that compares none. */
export const bannerTarget = (id: string, variantId: string | undefined): EditorTarget => {
  const readVariant = async () => {
    const { data, etag } = await versioned(api.marketingCampaigns.get(id))
    const variant = data.variants.find(each => each.id === variantId)
    if (variantId !== undefined && !variant) throw missing()
    return { data, etag, variant }
  }
  return {
    key: `campaign ${id} ${variantId ?? ''}`,
    kind: 'campaign',
    audit: { actions: ['marketing_campaign.updated'], resourceId: async () => id },
    signatureId: undefined,
    async read() {
      const { data, etag, variant } = await readVariant()
      return {
        name: variant ? `${data.name} · ${variant.name}` : data.name,
        data: withIds(variant ? variant.content : data.content),
        etag,
        isLive: data.status === 'active',
      }
    },
    async save(content, version) {
      if (variantId === undefined)
        return (
          await versioned(api.marketingCampaigns.update(id, { content: sent(content) }, onlyIf(version)))
        ).etag
      const { data } = await readVariant()
      const variants = data.variants.map(variant => ({
        ...variant,
        content: (variant.id === variantId ? sent(content) : variant.content) as SentContent,
      }))
      return (await versioned(api.marketingCampaigns.update(id, { variants }, onlyIf(version)))).etag
    },
    createNew: async (name, content) =>
      `${campaignPath((await api.marketingCampaigns.create({ name, content: sent(content) })).id)}/edit`,
  }
}
