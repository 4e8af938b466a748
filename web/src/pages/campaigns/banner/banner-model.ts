// A banner that is one picture with a link. Any other tree is made in the editor; the simple form leaves it alone.
import type { Asset, Content } from '@signoff/sdk'

type StackChild = NonNullable<Content['children']>[number]
type ImageChild = Extract<StackChild, { type: 'image' }>

export interface BannerDraft {
  readonly assetId: string | null
  readonly alt: string
  readonly href: string
}

export const emptyBanner: BannerDraft = { assetId: null, alt: '', href: '' }

function imageIn(content: Content | null): ImageChild | undefined {
  const [child, ...others] = content?.children ?? []
  if (child?.type !== 'image' || others.length > 0 || child.assetUuid === undefined) return undefined
  const { text: _, ...otherParts } = child.href ?? {}
  return Object.values(otherParts).every(value => value === undefined) ? child : undefined
}

/** undefined for a tree that the simple form cannot show. */
export function bannerOf(content: Content | null): BannerDraft | undefined {
  if (content === null) return emptyBanner
  const image = imageIn(content)
  return image && { assetId: image.assetUuid ?? null, alt: image.alt ?? '', href: image.href?.text ?? '' }
}

/** Banners are drawn at most as wide as the signatures of most templates. */
const bannerWidth = 480

/** Styles, ids and sizes that the banner has already stay; a new picture gets its own proportions. */
export function contentOfBanner(
  draft: BannerDraft,
  asset: Asset | undefined,
  before: Content | null,
): Content | null {
  if (draft.assetId === null) return null
  const old = imageIn(before)
  const { width, height, crop: _, href: __, ...rest } = old ?? ({ type: 'image' } as ImageChild)
  const isSamePicture = old?.assetUuid === draft.assetId
  const size = isSamePicture
    ? { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
    : { width: Math.min(asset?.width ?? bannerWidth, width ?? bannerWidth) }
  const image: ImageChild = {
    ...rest,
    assetUuid: draft.assetId,
    alt: draft.alt.trim(),
    ...size,
    ...(isSamePicture && old.crop && { crop: old.crop }),
    ...(draft.href.trim() !== '' && { href: { text: webAddress(draft.href) } }),
  }
  return { ...(old ? before : {}), type: 'stack', children: [image] } as Content
}

/** People write `example.com/fair`. */
const webAddress = (text: string): string => {
  const trimmed = text.trim()
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`
}
