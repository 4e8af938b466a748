import { wrapperEnd, wrapperStart } from '../place/own-signature.ts'
import type { BodyPlan } from '../place/plan.ts'
import { encodedBody } from '../reading/body-bytes.ts'
import { encodeBase64, encodeQuotedPrintable, quotedPrintableOffset } from '../reading/transfer.ts'
import type { ByteEdit } from './edits.ts'
import { asciiHtml, foldHtml } from './fold-html.ts'
import { rewriteBody } from './rewrite.ts'

const insertAt = (offset: number, text: string): ByteEdit[] => [
  { start: offset, end: offset, bytes: Buffer.from(text, 'latin1') },
]

/** Puts the signature into an HTML part. It is ASCII: the header of the part stays as it is, whatever its charset. */
export function stampHtml(
  message: Buffer,
  { part, bytes, place, before, after }: BodyPlan,
  html: string,
  newline: string,
): ByteEdit[] {
  const signature = asciiHtml(wrapperStart + before + html + after + wrapperEnd)
  const body = encodedBody(message, part)
  if (part.encoding === 'quoted-printable') {
    const offset = quotedPrintableOffset(body, place)
    const isLineStart = offset === 0 || body[offset - 1] === 10
    const encoded = encodeQuotedPrintable(Buffer.from(signature, 'latin1'), newline).toString('latin1')
    return insertAt(part.bodyAt + offset, `${isLineStart ? '' : `=${newline}`}${encoded}=${newline}`)
  }
  const joined = () =>
    Buffer.concat([bytes.subarray(0, place), Buffer.from(signature, 'latin1'), bytes.subarray(place)])
  if (part.encoding === 'base64') {
    const encoded = encodeBase64(joined(), newline) + (body.at(-1) === 10 ? newline : '')
    return [{ start: part.bodyAt, end: part.end, bytes: Buffer.from(encoded, 'latin1') }]
  }
  const folded = foldHtml(signature, newline)
  if (folded === null) return rewriteBody(part, joined(), newline, null)
  const isLineStart = place === 0 || bytes[place - 1] === 10
  return insertAt(part.bodyAt + place, (isLineStart ? '' : newline) + folded + newline)
}
