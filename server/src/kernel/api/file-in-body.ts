// A file in base64 inside a JSON body: cut out before the rest is parsed.
import { randomUUID } from 'node:crypto'
import { apiError } from '#kernel/base/errors.ts'

/**
 * A file in base64, exactly as it is in the body between its quotes. It can have 20 MB. Only the image process decodes
 * it, and finds invalid JSON escapes too.
 */
export interface Base64File {
  readonly literal: Buffer
}

/** A file that is the whole body of the request, not base64 in JSON. */
export interface RawFile {
  readonly raw: Buffer
}

/** Without its file, a body can be as large as the bodies of routes without files. */
const largestJson = 1024 * 1024

/**
 * Replaces the file while the rest of the body is parsed. It is different in each process, so no client can know it.
 */
export const filePlaceholder = `file ${randomUUID()}`

/**
 * Cuts the value of the property that holds a file out of a body: parsing 20 MB of JSON, and checking it as text, would
 * block the process for a quarter of a second. The rest must be as small as other bodies.
 */
export function withoutFile(
  bytes: Buffer,
  property: string,
): { readonly rest: Buffer; readonly literal: Buffer | null } {
  const start = startOfString(bytes, property)
  const end = start === -1 ? -1 : endOfString(bytes, start)
  const isCut = end !== -1
  const rest = isCut
    ? Buffer.concat([bytes.subarray(0, start), Buffer.from(filePlaceholder), bytes.subarray(end)])
    : bytes
  if (rest.length > largestJson) throw apiError('payload_too_large')
  return { rest, literal: isCut ? bytes.subarray(start, end) : null }
}

const [backslash, colon, quote] = [0x5c, 0x3a, 0x22]
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Start of the text of `"property": "…"`; -1 without one. The name can occur elsewhere too, up to ten times. */
function startOfString(bytes: Buffer, property: string): number {
  const name = `"${property}"`
  let position = bytes.indexOf(name)
  for (let attempts = 0; position !== -1 && attempts < 10; attempts++) {
    const start = afterSigns(bytes, position + name.length, [colon, quote])
    if (start !== -1) return start
    position = bytes.indexOf(name, position + 1)
  }
  return -1
}

/** The index behind these characters, with blanks allowed before each; -1 when another character is found. */
function afterSigns(bytes: Buffer, from: number, signs: readonly number[]): number {
  let at = from
  for (const sign of signs) {
    while (blanks.has(bytes[at] ?? 0)) at++
    if (bytes[at] !== sign) return -1
    at++
  }
  return at
}

/**
 * The index of the quote that ends a text; -1 without one. Base64 holds no quotes: up to ten escaped quotes are
 * skipped.
 */
function endOfString(bytes: Buffer, start: number): number {
  let position = bytes.indexOf(quote, start)
  for (let skipped = 0; position !== -1 && isEscaped(bytes, start, position); skipped++)
    position = skipped < 10 ? bytes.indexOf(quote, position + 1) : -1
  return position
}

/** Two backslashes before a quote are one escaped backslash; three are that and an escaped quote. */
function isEscaped(bytes: Buffer, start: number, at: number): boolean {
  let before = at
  while (before > start && bytes[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

/** For a file that was parsed with the body: it was not cut out, or its property occurs more than once. */
export const asLiteral = (text: string): Base64File => ({
  literal: Buffer.from(JSON.stringify(text).slice(1, -1)),
})
