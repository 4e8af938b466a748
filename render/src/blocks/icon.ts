import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import { blockSchema, Color, OneOf, Pixels, type Shape, shapes, Words } from '../fields.ts'
import { compileHref, Href, linkedPicture } from '../href.ts'
import { escapeAttribute } from '../html.ts'
import { iconLabel, iconNames, isBrand } from '../icons.ts'
import { boxOf } from '../style.ts'
import type { Piece, PieceScope } from '../types.ts'
import { warnOfContrast } from '../warnings.ts'

export const IconSchema = blockSchema('icon', {
  name: OneOf(iconNames),
  size: Type.Optional(Pixels()),
  color: Type.Optional(Color()),
  backgroundColor: Type.Optional(Color()),
  shape: Type.Optional(OneOf(shapes)),
  alt: Type.Optional(Words(500)),
  href: Type.Optional(Href),
})
export type Icon = Static<typeof IconSchema>

/** Readable on white and on dark. */
const usualColor = '#667085'
const usualIconSize = 24

interface Look {
  readonly id?: string | undefined
  readonly size?: number | undefined
  readonly color?: string | undefined
  readonly backgroundColor?: string | undefined
  readonly shape?: Shape | undefined
}

/** A glyph as an image: on a disc when a background is given. */
export function iconImage(name: string, look: Look, alt: string, scope: PieceScope): string {
  const size = Math.max(1, Math.round(look.size ?? usualIconSize))
  const backgroundColor = hex(look.backgroundColor) ?? null
  const color = hex(look.color) ?? (backgroundColor ? '#ffffff' : usualColor)
  if (!backgroundColor) warnOfContrast(scope.warn, look.id, color, scope.background)
  const shape = look.shape ?? 'circle'
  const url = scope.iconUrl({ name, size, color, backgroundColor, shape: backgroundColor ? shape : 'square' })
  return `<img src="${escapeAttribute(url)}" width="${size}" height="${size}" alt="${escapeAttribute(alt)}" border="0" style="display:block">`
}

export function compileIcon(icon: Icon, scope: PieceScope): Piece {
  const { id, name } = icon
  const alt = icon.alt ?? (icon.href || isBrand(name) ? iconLabel(name) : '')
  const image = iconImage(name, icon, alt, scope)
  const target = icon.href ? compileHref(icon.href, scope, id) : null
  return {
    box: boxOf(icon.blockStyle, { align: icon.blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html: image, label: alt || iconLabel(name) }, target),
  }
}
