// A file in base64 inside a JSON body: cut out before the rest is parsed.
import { randomUUID } from 'node:crypto'
import { apiError } from './errors.ts'

/**
 * A file in base64, as it stands in the body between its quotes. It may be 20 MB, which only the image process looks into,
 * also for what is no JSON.
 */
export interface Base64File {
  readonly literal: Buffer
}

/** Without their files, bodies may be as large as those of routes that take none. */
const largestJson = 1024 * 1024

/** Stands for a file while the rest of its body is parsed. Made anew by each process, so that no client can know it. */
export const filePlaceholder = `file ${randomUUID()}`

/**
 * Takes the value of the property that carries a file out of a body: parsing 20 MB of JSON, and checking it as text, would
 * hold the process for a quarter of a second. What is left must be as small as other bodies.
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

/** Where the text of `"property": "…"` begins; -1 where there is none. The name may stand elsewhere too, a few times. */
function startOfString(bytes: Buffer, property: string): number {
  const name = `"${property}"`
  let found = bytes.indexOf(name)
  for (let tried = 0; found !== -1 && tried < 10; tried++) {
    const start = afterSigns(bytes, found + name.length, [colon, quote])
    if (start !== -1) return start
    found = bytes.indexOf(name, found + 1)
  }
  return -1
}

/** The index behind these signs, which blanks may precede; -1 where something else stands. */
function afterSigns(bytes: Buffer, from: number, signs: readonly number[]): number {
  let at = from
  for (const sign of signs) {
    while (blanks.has(bytes[at] ?? 0)) at++
    if (bytes[at] !== sign) return -1
    at++
  }
  return at
}

/** Where the quote stands that ends a text; -1 where none does. Base64 holds no quotes: a few escaped ones are passed over. */
function endOfString(bytes: Buffer, start: number): number {
  let found = bytes.indexOf(quote, start)
  for (let tried = 0; found !== -1 && isEscaped(bytes, start, found); tried++)
    found = tried < 10 ? bytes.indexOf(quote, found + 1) : -1
  return found
}

/** Two backslashes before a quote are a backslash, three are one and an escaped quote. */
function isEscaped(bytes: Buffer, start: number, at: number): boolean {
  let before = at
  while (before > start && bytes[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

/** A file that stands in the body as text: a small one, or one that came with others of its name. */
export const asLiteral = (text: string): Base64File => ({
  literal: Buffer.from(JSON.stringify(text).slice(1, -1)),
})
