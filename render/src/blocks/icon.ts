import { type Static, Type } from 'typebox'
import { blockSchema, Color, OneOf, Pixels, type Shape, shapes, Words } from '../fields.ts'
import { iconLabel, iconNames, isBrand } from '../icons.ts'
import { compileHref, Href, linkedPicture } from '../links/href.ts'
import { iconTag } from '../picture.ts'
import { hex } from '../style/colors.ts'
import { boxOf } from '../style/style.ts'
import type { BlockType, Piece, PieceScope } from '../types.ts'
import { warnOfContrast } from '../warnings.ts'

const IconSchema = blockSchema('icon', {
  name: OneOf(iconNames, { title: 'IconName' }),
  size: Type.Optional(Pixels()),
  color: Type.Optional(Color()),
  backgroundColor: Type.Optional(Color()),
  shape: Type.Optional(OneOf(shapes)),
  alt: Type.Optional(Words(500)),
  href: Type.Optional(Href),
})
type Icon = Static<typeof IconSchema>

/** Readable on a white and on a dark background. */
const defaultColor = '#667085'
const defaultSize = 24

interface IconStyle {
  readonly id?: string | undefined
  readonly size?: number | undefined
  readonly color?: string | undefined
  readonly backgroundColor?: string | undefined
  readonly shape?: Shape | undefined
}

/** The `img` of an icon. With a background colour, the icon stands on a disc (or another shape). */
export function iconImage(name: string, style: IconStyle, alt: string, scope: PieceScope): string {
  const size = Math.max(1, Math.round(style.size ?? defaultSize))
  const backgroundColor = hex(style.backgroundColor) ?? null
  const color = hex(style.color) ?? (backgroundColor ? '#ffffff' : defaultColor)
  if (!backgroundColor) warnOfContrast(scope.warn, style.id, color, scope.background)
  const shape = style.shape ?? 'circle'
  const url = scope.iconUrl({ name, size, color, backgroundColor, shape: backgroundColor ? shape : 'square' })
  return iconTag(url, size, alt)
}

function compileIcon(icon: Icon, scope: PieceScope): Piece {
  const { id, name } = icon
  const alt = icon.alt ?? (icon.href || isBrand(name) ? iconLabel(name) : '')
  const image = iconImage(name, icon, alt, scope)
  const target = icon.href ? compileHref(icon.href, scope, id) : null
  return {
    box: boxOf(icon.blockStyle, { align: icon.blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html: image, label: alt || iconLabel(name) }, target),
  }
}

export const iconBlock: BlockType<Icon> = { schema: IconSchema, compile: compileIcon, styles: ['align'] }
