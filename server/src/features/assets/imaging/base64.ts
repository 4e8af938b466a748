import { isUtf8 } from 'node:buffer'
import { BadImage } from './limits.ts'

/** The bytes behind a JSON string of base64. Run by the image process alone: it may be 20 MB of blanks. */
export function decodeBase64(literal: Buffer): Buffer {
  const text = textOf(literal)
  const packed = /\s/.test(text) ? text.split(/\s+/).join('') : text
  if (packed === '') throw new BadImage('must not be blank', 'blank')
  // Node would skip what is not base64.
  const [, digits] = /^([\w+/-]+)={0,2}$/.exec(packed) ?? []
  if (digits === undefined || digits.length % 4 === 1) throw new BadImage('is not base64')
  return Buffer.from(packed, 'base64')
}

/** In Latin-1, which is all that base64 needs. The service has not parsed it: it need not be JSON. */
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

/** What comes before the blank: JSON allows it as escapes alone. */
const controlCharacters = /[^ -\xff]/

const malformedJson = () => new BadImage('is not valid JSON', 'malformed_json')
