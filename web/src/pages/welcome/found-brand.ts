// What an existing signature tells about the brand: colours, logo, website, profiles, font.
import type { BrandPatch, Content } from '@signoff/sdk'

interface Link {
  readonly text?: string | undefined
}
/** A block as this file reads it; the tree has more. */
interface Piece {
  readonly type?: string
  readonly name?: string
  readonly href?: Link
  readonly color?: string
  readonly backgroundColor?: string
  readonly assetUuid?: string
  readonly width?: number
  readonly height?: number
  readonly blockStyle?: { readonly backgroundColor?: string; readonly borderColor?: string }
  readonly textStyle?: { readonly color?: string; readonly fontFamily?: string }
  readonly tokens?: readonly Piece[]
  readonly children?: readonly Piece[]
}

export interface FoundBrand {
  /** The most colourful first. */
  readonly colors: readonly string[]
  readonly logoAssetId: string | undefined
  readonly website: string | undefined
  readonly social: NonNullable<BrandPatch['social']>
  readonly font: BrandPatch['font_family']
}

const piecesIn = (piece: Piece): readonly Piece[] => [
  piece,
  ...[...(piece.tokens ?? []), ...(piece.children ?? [])].flatMap(piecesIn),
]

/** `#rgb`, `#rrggbb` and `rgb(…)` as `#rrggbb`; undefined for all else. */
export function hexOf(color: string | undefined): string | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color ?? '')
  if (short)
    return `#${short
      .slice(1)
      .flatMap(digit => [digit, digit])
      .join('')}`.toLowerCase()
  if (/^#[\da-f]{6}$/i.test(color ?? '')) return color?.toLowerCase()
  const parts = /^rgb\((\d+)[, ]+(\d+)[, ]+(\d+)\)$/i.exec(color ?? '')
  return parts
    ? `#${parts
        .slice(1)
        .map(part => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
    : undefined
}

/** The colours that mail programs give to links by themselves. */
const linkColors = new Set(['#1155cc', '#0563c1', '#0000ee', '#0000ff', '#0066cc', '#954f72'])

const hosts: Readonly<Record<string, FoundBrand['social'][number]['name']>> = {
  'linkedin.com': 'linkedin-in',
  'facebook.com': 'facebook-f',
  'instagram.com': 'instagram',
  'youtube.com': 'youtube',
  'x.com': 'x-twitter',
  'twitter.com': 'x-twitter',
  'xing.com': 'xing',
  'github.com': 'github',
  'tiktok.com': 'tiktok',
}

/** The network that an address leads to. */
const networkOf = (address: string) =>
  URL.canParse(address) ? hosts[new URL(address).hostname.replace(/^www\./, '')] : undefined

/** The distance between the strongest and the weakest part: 0 is grey. */
const colorfulness = (hex: string): number => {
  const parts = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
  return Math.max(...parts) - Math.min(...parts)
}

function colorsIn(pieces: readonly Piece[]): readonly string[] {
  const all = pieces
    .flatMap(({ color, backgroundColor, blockStyle, textStyle }) => [
      color,
      backgroundColor,
      blockStyle?.backgroundColor,
      blockStyle?.borderColor,
      textStyle?.color,
    ])
    .flatMap(color => hexOf(color) ?? [])
  const counts = new Map<string, number>()
  for (const color of all) counts.set(color, (counts.get(color) ?? 0) + 1)
  const weight = (color: string) => colorfulness(color) * Math.sqrt(counts.get(color) ?? 1)
  return [...counts.keys()]
    .filter(color => colorfulness(color) > 40 && !linkColors.has(color))
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, 4)
}

/** The widest picture: portraits are square, logos mostly are not. */
const logoIn = (pieces: readonly Piece[]): string | undefined =>
  pieces
    .filter(({ type, assetUuid }) => type === 'image' && assetUuid !== undefined)
    .sort((a, b) => shapeOf(b) - shapeOf(a))[0]?.assetUuid

const shapeOf = ({ width = 1, height }: Piece): number => width / (height ?? width)

const linksIn = (pieces: readonly Piece[]): readonly string[] =>
  pieces.flatMap(({ href }) => href?.text ?? []).filter(link => /^https?:/.test(link) && URL.canParse(link))

function websiteIn(pieces: readonly Piece[]): string | undefined {
  const address = linksIn(pieces).find(link => networkOf(link) === undefined)
  return address === undefined ? undefined : new URL(address).origin
}

const socialIn = (pieces: readonly Piece[]): FoundBrand['social'] =>
  [...new Set(linksIn(pieces))]
    .flatMap(href => {
      const name = networkOf(href)
      return name ? [{ name, href }] : []
    })
    .slice(0, 8)

export function brandIn(content: Content): FoundBrand {
  const pieces = piecesIn(content as Piece)
  return {
    colors: colorsIn(pieces),
    logoAssetId: logoIn(pieces),
    website: websiteIn(pieces),
    social: socialIn(pieces),
    font: pieces.find(({ textStyle }) => textStyle?.fontFamily)?.textStyle?.fontFamily as FoundBrand['font'],
  }
}

export const patchOf = ({ colors, logoAssetId, website, social, font }: FoundBrand): BrandPatch => ({
  ...(colors[0] !== undefined && { colors: { primary: colors[0] } }),
  ...(logoAssetId !== undefined && { logo_asset_id: logoAssetId }),
  ...(website !== undefined && { website }),
  ...(social.length > 0 && { social }),
  ...(font && { font_family: font }),
})
