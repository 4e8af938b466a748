// Run by drawing.ts in the page, whose own scripts are off. It adds the fonts for other scripts after the fonts that the
// signature names, waits for them, and returns the characters that no font has.
export async function applyFonts({ families, maxCharacters }) {
  const more = families.map(family => `"${family}"`).join(',')
  if (more !== '')
    for (const element of document.querySelectorAll('[style]'))
      if (element.style.fontFamily !== '') element.style.fontFamily += `,${more}`
  // Asked for by name: `document.fonts.ready` alone can resolve before the layout requests the fonts.
  const words = document.body.innerText
  await Promise.all(
    families.map(family => document.fonts.load(`16px "${family}"`, words).catch(() => undefined)),
  )
  await document.fonts.ready

  // A character without a glyph looks like this character, which no font has.
  const side = 48
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  pen.font = `24px ${['Arial', 'sans-serif', more].filter(name => name !== '').join(',')}`
  const pixelsOf = character => {
    pen.clearRect(0, 0, side, side)
    pen.fillText(character, 8, 32)
    return new Uint32Array(pen.getImageData(0, 0, side, side).data.buffer)
  }
  const missing = pixelsOf('\u{10fffd}')
  const looksMissing = character => {
    const pixels = pixelsOf(character)
    return missing.every((pixel, at) => pixel === pixels[at])
  }
  // Latin, Greek, Cyrillic and Hebrew letters are in all fonts. Spaces and invisible characters need no glyph.
  const isCandidate = character =>
    character > '\u05ff' && !/[\s\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{M}]/u.test(character)
  const characters = [...new Set(words)].filter(isCandidate)
  return characters.slice(0, maxCharacters).filter(looksMissing)
}
