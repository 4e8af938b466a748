import type { Block } from '@signoff/render'
import type { Kit } from '../design.ts'
import { webHref } from './links.ts'

type Image = Extract<Block, { type: 'image' }>
type SocialList = Extract<Block, { type: 'socialList' }>

export const portrait = (kit: Kit, size: number, shape: Image['shape'] = 'circle'): Image => ({
  type: 'image',
  displayName: 'Portrait',
  smartFieldUuid: kit.fields.profile_picture,
  alt: 'Portrait',
  width: size,
  height: size,
  shape,
})

/** The largest size that fits into the box. Small logos are not enlarged. */
function fitted({ width, height }: { width: number; height: number }, maxWidth: number, maxHeight: number) {
  const scale = Math.min(maxWidth / width, maxHeight / height, 1)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Null without a logo. It leads to the website. */
export function logo({ logo, website }: Kit, maxWidth: number, maxHeight: number): Image | null {
  if (logo === null) return null
  return {
    type: 'image',
    displayName: 'Logo',
    assetUuid: logo.id,
    alt: 'Company logo',
    ...fitted(logo, maxWidth, maxHeight),
    halo: true,
    ...(website !== null && { href: webHref(website) }),
  }
}

type SocialStyle = Pick<SocialList, 'align'> & {
  readonly size?: number
  readonly gap?: number
  /** Icons on discs of the primary colour, instead of plain icons. */
  readonly discs?: boolean
  /** Number of icons that the template has room for. */
  readonly most?: number
}

/** Null when the brand has no profiles: no icon leads nowhere. */
export function socialRow(
  { social, palette }: Kit,
  { size = 20, gap = 12, discs = false, most = 6, align }: SocialStyle = {},
): SocialList | null {
  if (social.length === 0) return null
  return {
    type: 'socialList',
    displayName: 'Social profiles',
    iconSize: size,
    ...(discs
      ? { color: palette.onFill, backgroundColor: palette.fill, shape: 'circle' as const }
      : { color: palette.muted }),
    ...(align && { align }),
    blockStyle: { gap },
    children: social
      .slice(0, most)
      .map(({ name, href }) => ({ type: 'socialListItem', name, href: { text: href } })),
  }
}
