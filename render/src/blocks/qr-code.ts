import { type Static, Type } from 'typebox'
import { blockSchema, Color, OneOf, Pixels, qrContents } from '../fields.ts'
import { Href } from '../href.ts'
import { drawNothing } from '../piece.ts'
import { boxOf } from '../style.ts'
import type { Piece, PieceScope } from '../types.ts'

export const QrCodeSchema = blockSchema(
  'qrCode',
  {
    content: OneOf(qrContents),
    href: Type.Optional(Href),
    size: Type.Optional(Pixels(1, 600)),
    color: Type.Optional(Color()),
  },
  {
    oneOf: [
      { properties: { content: { const: 'vcard' } }, not: { required: ['href'] } },
      { properties: { content: { const: 'href' } }, required: ['href'] },
    ],
  },
)
export type QrCode = Static<typeof QrCodeSchema>

export function compileQrCode({ blockStyle }: QrCode, scope: PieceScope): Piece {
  return { box: boxOf(blockStyle, { align: blockStyle?.align ?? scope.align }), bind: drawNothing }
}
