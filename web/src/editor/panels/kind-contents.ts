// What each kind of mail has: the draft of the signature, and those of its variants.
import { type Content, fillIds } from '@signoff/render'
import type { SignatureVariant } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { api } from '#api/client.ts'
import { newId } from '#records/content/ids.ts'
import { contentOfVariant } from '#records/signatures/make-variant.ts'
import type { MailKind } from '../saving/targets.ts'

export const mailKinds = ['new', 'reply', 'internal'] as const
export type VariantKind = Exclude<MailKind, 'new'>

interface KindContent {
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

const kindsQuery = (id: string) => ({
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

// The contents of all kinds of mail. Of those that were edited on this page, the last state is known before it is saved.

interface KnownContents {
  /** Undefined while it loads, and when it could not be read. */
  readonly contents: KindContents | undefined
  readonly isLoading: boolean
  /** Called with every new state of the kind that is edited. */
  readonly remember: (tree: Content) => void
}

/** `canWait`: the canvas of the main signature is not painted yet. */
export function useKindContents(id: string, kind: MailKind, canWait: boolean): KnownContents {
  const { data, isLoading } = useQuery({ ...kindsQuery(id), enabled: kind !== 'new' || !canWait })
  const [edited] = useState(() => new Map<string, Content>())
  const remember = useCallback((tree: Content) => void edited.set(`${id} ${kind}`, tree), [edited, id, kind])
  const contents = useMemo(() => {
    if (!data) return undefined
    const latestOf = (each: MailKind) => {
      const content = edited.get(`${id} ${each}`)
      return content && data.byKind[each].content ? { ...data.byKind[each], content } : data.byKind[each]
    }
    return {
      ...data,
      byKind: { new: latestOf('new'), reply: latestOf('reply'), internal: latestOf('internal') },
    }
    // The kind that is edited changes all the time; the others only when another one is chosen.
  }, [data, edited, id, kind])
  return { contents, isLoading, remember }
}
