import { decoderOf, isAsciiBased, isAsciiBytes, isAsciiCharset, isEscaped, maskEscaped } from './charsets.ts'
import type { LeaveReason } from './inspection.ts'
import type { MessagePart } from './scan.ts'
import { bytesOfBase64, decodeQuotedPrintable } from './transfer.ts'

/** A larger text is a file that was pasted. Reading it takes longer than the relay has for a message. */
const largestBody = 8 * 1024 * 1024

export const charsetOf = ({ parameters }: MessagePart): string =>
  parameters.get('charset')?.value.trim().toLowerCase() ?? 'us-ascii'

/** The body as it is in the message. */
export const encodedBody = (message: Buffer, part: MessagePart): Buffer =>
  message.subarray(part.bodyAt, part.end)

/** The body without its transfer encoding, or why it cannot be read. */
export function bodyBytes(message: Buffer, part: MessagePart): Buffer | LeaveReason {
  if (!isAsciiBased(charsetOf(part)) || part.parameters.has('charset*')) return 'unsupported_encoding'
  if (part.end - part.bodyAt > largestBody) return 'body_too_large'
  const body = encodedBody(message, part)
  if (part.encoding === 'quoted-printable') return decodeQuotedPrintable(body)
  if (part.encoding === 'base64') return bytesOfBase64(body) ?? 'unsupported_encoding'
  return ['7bit', '8bit', 'binary'].includes(part.encoding) ? body : 'unsupported_encoding'
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
