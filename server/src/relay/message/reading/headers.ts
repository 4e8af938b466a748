/** One header line with its folded lines, as byte offsets. */
export interface HeaderField {
  /** In lower case. */
  readonly name: string
  readonly start: number
  /** Just after the colon. */
  readonly valueAt: number
  /** Before the line break. */
  readonly end: number
}

export interface HeaderBlock {
  readonly fields: readonly HeaderField[]
  /** After the empty line. */
  readonly bodyAt: number
  /** Folded ones too. */
  readonly lines: number
}

/** Limits for the header of one part. */
export interface HeaderBounds {
  readonly bytes: number
  readonly lines: number
}

const newlineByte = 10
const isBlankByte = (byte: number | undefined): boolean => byte === 32 || byte === 9

/** End of the line without its break, given the start of the next line. */
function lineEndOf(message: Buffer, start: number, next: number): number {
  if (message[next - 1] !== newlineByte) return next
  return next - 2 >= start && message[next - 2] === 13 ? next - 2 : next - 1
}

/** The name before the colon, in lower case; null when the line is no header line. */
function nameOf(message: Buffer, start: number, colon: number): string | null {
  let end = colon
  while (end > start && isBlankByte(message[end - 1])) end--
  if (end === start) return null
  for (let at = start; at < end; at++) {
    const byte = message[at] as number
    if (byte <= 32 || byte >= 127) return null
  }
  return message.toString('latin1', start, end).toLowerCase()
}

/** Reads header lines up to the empty line. A message without it has no text; a line that is no header is malformed. */
export function readHeaders(
  message: Buffer,
  start: number,
  most: HeaderBounds,
): HeaderBlock | 'malformed' | 'no_text' | 'header_too_large' {
  const fields: { name: string; start: number; valueAt: number; end: number }[] = []
  let at = start
  let lines = 0
  while (at < message.length) {
    if (at - start > most.bytes || lines > most.lines) return 'header_too_large'
    lines++
    const lineBreak = message.indexOf(newlineByte, at)
    const next = lineBreak < 0 ? message.length : lineBreak + 1
    const end = lineEndOf(message, at, next)
    if (end === at) return { fields, bodyAt: next, lines }
    const last = fields.at(-1)
    if (isBlankByte(message[at])) {
      if (!last) return 'malformed'
      last.end = end
    } else {
      const colon = message.subarray(at, end).indexOf(58)
      const name = colon < 0 ? null : nameOf(message, at, at + colon)
      if (name === null) return 'malformed'
      fields.push({ name, start: at, valueAt: at + colon + 1, end })
    }
    at = next
  }
  return fields.length > 0 ? 'no_text' : 'malformed'
}

export const fieldsNamed = (block: HeaderBlock, name: string): HeaderField[] =>
  block.fields.filter(field => field.name === name)

/** The value in one line. Bytes above 127 are read as UTF-8: an address can hold them (SMTPUTF8). */
export const fieldText = (message: Buffer, field: HeaderField): string =>
  message
    .toString('utf8', field.valueAt, field.end)
    .replace(/[\r\n]/g, '')
    .trim()

/** The value of the first header of this name, or null. */
export function headerText(message: Buffer, block: HeaderBlock, name: string): string | null {
  const field = block.fields.find(field => field.name === name)
  return field ? fieldText(message, field) : null
}
