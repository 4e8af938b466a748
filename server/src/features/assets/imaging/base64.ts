import { BadImage } from './limits.ts'

/** The bytes behind a JSON string of base64. Run by the image process alone: it may be 20 MB of blanks. */
export function decodeBase64(literal: Buffer): Buffer {
  let text = literal.toString('latin1')
  if (text.includes('\\')) text = unescaped(text)
  const packed = /\s/.test(text) ? text.split(/\s+/).join('') : text
  if (packed === '') throw new BadImage('must not be blank', 'blank')
  // Node would skip what is not base64.
  const [, digits] = /^([\w+/-]+)={0,2}$/.exec(packed) ?? []
  if (digits === undefined || digits.length % 4 === 1) throw new BadImage('is not base64')
  return Buffer.from(packed, 'base64')
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`)
  } catch {
    throw new BadImage('is not base64')
  }
}
