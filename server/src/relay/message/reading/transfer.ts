// Transfer encodings of a body: quoted-printable and base64 to bytes and back.

const equals = 61
const carriageReturn = 13
const lineFeed = 10

const hexValue = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** The number of bytes that a soft line break takes, with the spaces that some senders put before its end; 0 if none. */
function softBreakLength(body: Buffer, at: number): number {
  let next = at + 1
  while (body[next] === 32 || body[next] === 9) next++
  if (body[next] === carriageReturn && body[next + 1] === lineFeed) return next + 2 - at
  return body[next] === lineFeed ? next + 1 - at : 0
}

/**
 * Decodes until `stopAt` bytes are decoded. `consumed` is the offset in the encoded body at which that byte begins.
 * A `=` that begins no sequence stays as it is, as readers show it.
 */
function readQuotedPrintable(body: Buffer, stopAt: number): { decoded: Buffer; consumed: number } {
  const decoded = Buffer.allocUnsafe(body.length)
  let length = 0
  let at = 0
  while (at < body.length && length < stopAt) {
    const byte = body[at] as number
    if (byte !== equals) {
      decoded[length++] = byte
      at++
      continue
    }
    const soft = softBreakLength(body, at)
    if (soft > 0) {
      at += soft
      continue
    }
    const high = hexValue(body[at + 1])
    const low = hexValue(body[at + 2])
    const isByte = high >= 0 && low >= 0
    decoded[length++] = isByte ? high * 16 + low : equals
    at += isByte ? 3 : 1
  }
  return { decoded: decoded.subarray(0, length), consumed: at }
}

export const decodeQuotedPrintable = (body: Buffer): Buffer => readQuotedPrintable(body, Infinity).decoded

/** The offset in the encoded body of a byte of the decoded one, after a soft line break that stands there. */
export function quotedPrintableOffset(body: Buffer, decodedOffset: number): number {
  const { consumed } = readQuotedPrintable(body, decodedOffset)
  return body[consumed] === equals ? consumed + softBreakLength(body, consumed) : consumed
}

const longestLine = 76

const hexDigits = Buffer.from('0123456789ABCDEF')
/** Bytes that quoted-printable writes as they are; a space or a tab at the end of a line is not among them. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 9 || (byte >= 32 && byte < 127 && byte !== equals) ? 1 : 0,
)

function endsLine(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1]
  return next === undefined || next === lineFeed || (next === carriageReturn && bytes[at + 2] === lineFeed)
}

/** As quoted-printable, in lines of at most 76 characters. Line breaks of the bytes stay line breaks. */
export function encodeQuotedPrintable(bytes: Buffer, newline: string): Buffer {
  const lineBreak = Buffer.from(newline)
  // Each byte is at most three, or two as a line break, and a soft line break follows at least 24 of them.
  const encoded = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 24) * 3)
  let length = 0
  let lineLength = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === lineFeed || (byte === carriageReturn && bytes[at + 1] === lineFeed)) {
      if (byte === carriageReturn) at++
      length += lineBreak.copy(encoded, length)
      lineLength = 0
      continue
    }
    // Mail stores change a line that begins with "From ".
    const isFrom = lineLength === 0 && byte === 70 && bytes.toString('latin1', at, at + 5) === 'From '
    const isSpace = byte === 32 || byte === 9
    const isEscaped = isPlain[byte] === 0 || isFrom || (isSpace && endsLine(bytes, at))
    if (lineLength + (isEscaped ? 3 : 1) > longestLine - 1) {
      encoded[length++] = equals
      length += lineBreak.copy(encoded, length)
      lineLength = 0
    }
    lineLength += isEscaped ? 3 : 1
    if (!isEscaped) {
      encoded[length++] = byte
      continue
    }
    encoded[length++] = equals
    encoded[length++] = hexDigits[byte >> 4] as number
    encoded[length++] = hexDigits[byte & 15] as number
  }
  return encoded.subarray(0, length)
}

/**
 * Null when the body holds anything but base64, spaces inside a line, or a number of letters that base64 never has: it
 * is plain text under a wrong name, or readers disagree what it means.
 */
export function bytesOfBase64(body: Buffer): Buffer | null {
  const text = body.toString('latin1').trimEnd()
  if (!/^[A-Za-z0-9+/\s]*={0,2}$/.test(text)) return null
  if (/\S[ \t]+\S/.test(text)) return null
  if (text.replace(/\s+/g, '').length % 4 !== 0) return null
  return Buffer.from(text, 'base64')
}

export function encodeBase64(bytes: Buffer, newline: string): string {
  const text = bytes.toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += longestLine) lines.push(text.slice(at, at + longestLine))
  return lines.join(newline)
}
