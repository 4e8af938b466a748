import type { BodyPlan } from '../place/plan.ts'
import { charsetOf, encodedBody } from '../reading/body-bytes.ts'
import { decodeCharset, isAsciiBytes } from '../reading/charsets.ts'
import type { MessagePart } from '../reading/scan.ts'
import { encodeBase64, encodeQuotedPrintable, quotedPrintableOffset } from '../reading/transfer.ts'
import type { ByteEdit } from './edits.ts'
import { encodeCharset } from './encoders.ts'
import { plainLetters } from './plain-letters.ts'
import { rewriteBody } from './rewrite.ts'

const longestLine = 998

/** Rules of format=flowed: no space at the end of a line, and a space before what would mean something at its start. */
const flowed = (text: string): string =>
  text
    .split('\n')
    .map(line => (line === '-- ' ? line : line.trimEnd()))
    .map(line => (/^(?: |>|From )/.test(line) ? ` ${line}` : line))
    .join('\n')

const isFlowed = (part: MessagePart): boolean =>
  part.parameters.get('format')?.value.toLowerCase() === 'flowed'

/** The line break of the decoded body: those in base64 need not be those of the message. */
function newlineIn(bytes: Buffer, newline: string): string {
  const at = bytes.indexOf(10)
  if (at < 0) return newline
  return bytes[at - 1] === 13 ? '\r\n' : '\n'
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** True if the text above the place ends with this signature: nothing else marks a signature in plain text. */
function endsWithSignature(above: Buffer, signature: Buffer): boolean {
  // Folding and other line breaks make it longer.
  const last = above.subarray(Math.max(0, above.length - 2 * signature.length - 200))
  const ending = squeezed(signature.toString('latin1'))
  return ending !== '' && squeezed(last.toString('latin1')).endsWith(ending)
}

/** Puts encoded bytes at the place: as they are, where the encoding of the part allows it. */
function insertBytes(
  message: Buffer,
  { part, bytes, place }: BodyPlan,
  inserted: Buffer,
  newline: string,
): ByteEdit[] {
  const body = encodedBody(message, part)
  const joined = () => Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place)])
  if (part.encoding === 'quoted-printable') {
    const offset = part.bodyAt + quotedPrintableOffset(body, place)
    return [{ start: offset, end: offset, bytes: encodeQuotedPrintable(inserted, newline) }]
  }
  if (part.encoding === 'base64') {
    const encoded = encodeBase64(joined(), newline) + (body.at(-1) === 10 ? newline : '')
    return [{ start: part.bodyAt, end: part.end, bytes: Buffer.from(encoded, 'latin1') }]
  }
  const isLong = inserted
    .toString('latin1')
    .split('\n')
    .some(line => line.length > longestLine)
  // A part that declares seven bits, and holds more, is what the sender's server lets pass.
  const fits = part.encoding !== '7bit' || isAsciiBytes(inserted) || !isAsciiBytes(bytes)
  if (isLong || !fits) return rewriteBody(part, joined(), newline, null)
  return [{ start: part.bodyAt + place, end: part.bodyAt + place, bytes: inserted }]
}

/** The whole text as UTF-8, when its charset lacks letters of the signature. Null when its bytes cannot be read. */
function rewriteAsUtf8(
  { part, bytes, place }: BodyPlan,
  inserted: string,
  newline: string,
): ByteEdit[] | null {
  const charset = charsetOf(part)
  const above = decodeCharset(bytes.subarray(0, place), charset)
  const below = decodeCharset(bytes.subarray(place), charset)
  if (above === null || below === null) return null
  return rewriteBody(part, Buffer.from(above + inserted + below), newline, 'utf-8')
}

/** Puts the signature into a text part. Returns no edit when it is there already. */
export function stampText(message: Buffer, plan: BodyPlan, text: string, newline: string): ByteEdit[] {
  const { part, bytes, place } = plan
  const bodyNewline = newlineIn(bytes, newline)
  const written = text.replace(/\r\n?/g, '\n').trimEnd()
  const block = (lines: string) =>
    (plan.before + (isFlowed(part) ? flowed(lines) : lines) + plan.after).replaceAll('\n', bodyNewline)
  const put = (lines: string, encoded: Buffer): ByteEdit[] =>
    lines === '' || endsWithSignature(bytes.subarray(0, place), encoded)
      ? []
      : insertBytes(message, plan, encoded, newline)
  const encoded = encodeCharset(block(written), charsetOf(part))
  if (encoded) return put(written, encoded)
  const rewritten = rewriteAsUtf8(plan, block(written), newline)
  if (rewritten) return rewritten
  const plain = plainLetters(written)
  return put(plain, Buffer.from(block(plain), 'latin1'))
}
