import { isUtf8 } from 'node:buffer'
import { BadImage } from './limits.ts'

/** Decodes a JSON string of base64. Runs only in the image process, because the string can be 20 MB of blanks. */
export function decodeBase64(literal: Buffer): Buffer {
  const text = textOf(literal)
  const packed = /\s/.test(text) ? text.split(/\s+/).join('') : text
  if (packed === '') throw new BadImage('must not be blank', 'blank')
  // Buffer.from() ignores characters that are not base64, so they are checked here.
  const [, digits] = /^([\w+/-]+)={0,2}$/.exec(packed) ?? []
  if (digits === undefined || digits.length % 4 === 1) throw new BadImage('is not base64')
  return Buffer.from(packed, 'base64')
}

/** Decodes as Latin-1, enough for base64. The service has not parsed the literal, so it can be invalid JSON. */
function textOf(literal: Buffer): string {
  const text = literal.toString('latin1')
  if (!isUtf8(literal) || controlCharacters.test(text)) throw malformedJson()
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    throw malformedJson()
  }
}

/** Control characters (below the space character). JSON allows them only as escapes. */
const controlCharacters = /[^ -\xff]/

const malformedJson = () => new BadImage('is not valid JSON', 'malformed_json')
