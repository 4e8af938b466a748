// Decodes a file in base64 that was cut out of a JSON body: see `file-in-body.ts`. It can have 20 MB of blanks, so only
// threads and processes of their own call this.
import { isUtf8 } from 'node:buffer'

export class Base64Problem extends Error {
  readonly code: 'invalid' | 'blank' | 'malformed_json'

  constructor(message: string, code: 'invalid' | 'blank' | 'malformed_json' = 'invalid') {
    super(message)
    this.code = code
  }
}

/** `literal` is a JSON string without its quotes. */
export function decodeBase64Literal(literal: Buffer): Buffer {
  const text = textOf(literal)
  const packed = /\s/.test(text) ? text.split(/\s+/).join('') : text
  if (packed === '') throw new Base64Problem('must not be blank', 'blank')
  // Buffer.from() ignores characters that are not base64, so they are checked here.
  const [, digits] = /^([\w+/-]+)={0,2}$/.exec(packed) ?? []
  if (digits === undefined || digits.length % 4 === 1) throw new Base64Problem('is not base64')
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

const malformedJson = () => new Base64Problem('is not valid JSON', 'malformed_json')
