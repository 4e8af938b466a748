import { type Static, Type } from 'typebox'
import { blockSchema, Color, OneOf, Pixels, qrContents } from '../fields.ts'
import { compileHref, Href, linkedPicture } from '../links/href.ts'
import { pictureTag } from '../picture.ts'
import { hex } from '../style/colors.ts'
import { boxOf } from '../style/style.ts'
import type { BlockType, Pass, Piece, PieceScope } from '../types.ts'

const QrCodeSchema = blockSchema(
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
type QrCode = Static<typeof QrCodeSchema>

const defaultSize = 96
const defaultColor = '#000000'

/** A picture of the code. It is a link, too: a phone cannot scan its own screen. Nothing when there is nothing to encode. */
function compileQrCode({ id, href, blockStyle, ...code }: QrCode, scope: PieceScope): Piece {
  const size = Math.round(code.size ?? defaultSize)
  const color = hex(code.color) ?? defaultColor
  const target = compileHref(href ?? { vcard: true }, scope, id)
  const html = (pass: Pass): string => {
    const url = target(pass)
    if (code.content === 'href' && url === null) return ''
    const src = pass.qrUrl?.(
      code.content === 'href' && url !== null
        ? { content: 'href', url, size, color }
        : { content: 'vcard', size, color },
    )
    const alt =
      code.content === 'href' && url !== null ? `QR code: ${shortened(url)}` : 'QR code: contact card'
    return src ? pictureTag(src, { width: size, height: size }, alt) : ''
  }
  return {
    box: boxOf(blockStyle, { align: blockStyle?.align ?? scope.align, width: undefined }),
    bind: linkedPicture({ id, html, label: code.content === 'href' ? '' : 'Contact card' }, target),
  }
}

/** An address as people say it. */
const shortened = (url: string): string => url.replace(/^(https?:\/\/(www\.)?|[a-z]+:)/, '').slice(0, 100)

export const qrCodeBlock: BlockType<QrCode> = {
  schema: QrCodeSchema,
  compile: compileQrCode,
  styles: ['align'],
}
