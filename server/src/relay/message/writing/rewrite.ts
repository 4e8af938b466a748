import { fieldsNamed } from '../reading/headers.ts'
import type { MessagePart } from '../reading/scan.ts'
import { encodeBase64, encodeQuotedPrintable } from '../reading/transfer.ts'
import type { ByteEdit } from './edits.ts'

/** Replaces the value of the transfer encoding, or adds the header. */
function encodingEdit(part: MessagePart, encoding: string, newline: string): ByteEdit {
  const [field] = fieldsNamed(part.header, 'content-transfer-encoding')
  if (field) return { start: field.valueAt, end: field.end, bytes: Buffer.from(` ${encoding}`) }
  const at = part.header.fields.at(-1)
  const line = `Content-Transfer-Encoding: ${encoding}`
  // A part without any header begins with the empty line.
  return at
    ? { start: at.end, end: at.end, bytes: Buffer.from(newline + line) }
    : { start: part.start, end: part.start, bytes: Buffer.from(line + newline) }
}

/** Replaces the charset, or adds it, or adds the header. */
function charsetEdits(part: MessagePart, charset: string, newline: string): ByteEdit[] {
  const parameter = part.parameters.get('charset')
  if (parameter) return parameter.ranges.map(range => ({ ...range, bytes: Buffer.from(charset) }))
  const [field] = fieldsNamed(part.header, 'content-type')
  if (field)
    return [{ start: field.end, end: field.end, bytes: Buffer.from(`;${newline} charset=${charset}`) }]
  const hasVersion = part.start > 0 || fieldsNamed(part.header, 'mime-version').length > 0
  const lines = [
    ...(hasVersion ? [] : ['MIME-Version: 1.0']),
    `Content-Type: ${part.type}; charset=${charset}`,
  ]
  const bytes = Buffer.from(lines.map(line => line + newline).join(''))
  return [{ start: part.start, end: part.start, bytes }]
}

/** Letters that quoted-printable writes with three characters, per letter, above which base64 is shorter. */
const mostEscaped = 1 / 6

function isMostlyPlain(bytes: Buffer): boolean {
  let escaped = 0
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] as number) > 126) escaped++
  return escaped <= bytes.length * mostEscaped
}

/** A body written anew with all its bytes, in an encoding that can hold them. `charset` when it changes, too. */
export function rewriteBody(
  part: MessagePart,
  bytes: Buffer,
  newline: string,
  charset: string | null,
): ByteEdit[] {
  const isPlain = isMostlyPlain(bytes)
  return [
    ...(charset === null ? [] : charsetEdits(part, charset, newline)),
    encodingEdit(part, isPlain ? 'quoted-printable' : 'base64', newline),
    {
      start: part.bodyAt,
      end: part.end,
      bytes: isPlain
        ? encodeQuotedPrintable(bytes, newline)
        : Buffer.from(encodeBase64(bytes, newline) + newline, 'latin1'),
    },
  ]
}
