import { isUtf8 } from 'node:buffer'
import type { LeaveReason } from '../inspection.ts'
import { decoderOf, isAsciiBased, isAsciiBytes, isAsciiCharset, isEscaped, maskEscaped } from './charsets.ts'
import type { MessagePart } from './scan.ts'
import { bytesOfBase64, decodeQuotedPrintable } from './transfer.ts'

/**
 * Limits for reading the texts of one message, in all parts together, because the process does nothing else meanwhile.
 * A larger text is a file that was pasted. Lines and tags cost more than their bytes: 2 MB of short lines take seconds.
 * Lines that can be the end of an attribution cost most; behind so many of them, none is looked for.
 */
export interface TextBudget {
  bytes: number
  lines: number
  attributions: number
}
export const textBudget = (): TextBudget => ({ bytes: 2 * 1024 * 1024, lines: 60_000, attributions: 4_000 })

const newline = 10
const tagStart = 60

/** Lines, and tags where readers can begin a line. A loop over an iterator would take ten times as long. */
function linesIn(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === newline || bytes[at] === tagStart) count++
  return count
}

export const charsetOf = ({ parameters }: MessagePart): string =>
  parameters.get('charset')?.value.trim().toLowerCase() ?? 'us-ascii'

/** The body as it is in the message. */
export const encodedBody = (message: Buffer, part: MessagePart): Buffer =>
  message.subarray(part.bodyAt, part.end)

function decodedBody(body: Buffer, part: MessagePart): Buffer | LeaveReason {
  const { encoding } = part
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  if (encoding !== 'base64')
    return ['7bit', '8bit', 'binary'].includes(encoding) ? body : 'unsupported_encoding'
  const bytes = bytesOfBase64(body)
  // A word that was never encoded becomes bytes that are no text.
  const isText = bytes !== null && (charsetOf(part) !== 'utf-8' || isUtf8(bytes))
  return isText ? bytes : 'unsupported_encoding'
}

/** UTF-16 under the name of another charset: ASCII between its bytes would destroy it. */
const isWide = (bytes: Buffer): boolean =>
  bytes.includes(0) || ['feff', 'fffe'].includes(bytes.toString('hex', 0, 2))

/** The body without its transfer encoding, or why it cannot be read. */
export function bodyBytes(message: Buffer, part: MessagePart, budget: TextBudget): Buffer | LeaveReason {
  if (!isAsciiBased(charsetOf(part)) || part.parameters.has('charset*')) return 'unsupported_encoding'
  budget.bytes -= part.end - part.bodyAt
  if (budget.bytes < 0) return 'body_too_large'
  const bytes = decodedBody(encodedBody(message, part), part)
  if (typeof bytes === 'string') return bytes
  budget.lines -= linesIn(bytes)
  if (budget.lines < 0) return 'body_too_large'
  return isWide(bytes) ? 'unsupported_encoding' : bytes
}

/** HTML as bytes read as Latin-1, one character per byte, for a search of tags. */
export const htmlOfBytes = (bytes: Buffer, charset: string): string =>
  (isEscaped(charset) ? maskEscaped(bytes) : bytes).toString('latin1')

/** Reads ranges of a body as text. Bytes that the charset does not know become a replacement character. */
export function rangeDecoder(bytes: Buffer, charset: string): (start: number, end: number) => string {
  // Senders that declare ASCII, or nothing, mostly write UTF-8.
  const label = isAsciiCharset(charset) ? 'utf-8' : decoderOf(charset)?.encoding
  const decoder = new TextDecoder(label ?? 'utf-8')
  // Most bodies are ASCII, and reading them as Latin-1 takes a third of the time.
  if (isAsciiBytes(bytes) && !/^(?:iso-2022|replacement)/.test(decoder.encoding))
    return (start, end) => bytes.toString('latin1', start, end)
  return (start, end) => decoder.decode(bytes.subarray(start, end))
}
