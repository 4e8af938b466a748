import { Base64Problem, decodeBase64Literal } from '#kernel/base/base64.ts'
import { BadImage } from './limits.ts'

/** Decodes a JSON string of base64. Runs only in the image process, because the string can be 20 MB of blanks. */
export function decodeBase64(literal: Buffer): Buffer {
  try {
    return decodeBase64Literal(literal)
  } catch (error) {
    throw error instanceof Base64Problem ? new BadImage(error.message, error.code) : error
  }
}
