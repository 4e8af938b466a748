// Answers that are a picture.
import type { Answer } from '#kernel/api/routes.ts'

export interface DrawnPicture {
  readonly png: Buffer
  /** Characters that no font has. */
  readonly missingGlyphs: readonly string[]
  /** The number of pictures in it that could not be loaded. */
  readonly missingPictures: number
}

/** Answers with a picture. The header `X-Signoff-Warnings`, a list of RFC 9651, names what is missing in it. */
export function picture({ png, missingGlyphs, missingPictures }: DrawnPicture): Answer {
  const characters = missingGlyphs.map(
    character => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  const warnings = [
    ...(characters.length > 0 ? [`missing_glyph;characters="${characters.join(' ')}"`] : []),
    ...(missingPictures > 0 ? [`missing_picture;count=${missingPictures}`] : []),
  ]
  return {
    status: 200,
    body: png,
    headers: {
      'content-type': 'image/png',
      ...(warnings.length > 0 && { 'x-signoff-warnings': warnings.join(', ') }),
    },
  }
}
