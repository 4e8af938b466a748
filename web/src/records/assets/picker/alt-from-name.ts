// A first description of a picture, from the name of its file.

/** Names that cameras, screenshots and clipboards give their files. */
const meaningless =
  /^(?:img|image|dsc|pxl|photo|picture|screenshot|screen shot|untitled|unbenannt|bild|foto|bildschirmfoto|download|clipboard)\b[\d\s().:]*$/i
/** Sizes, versions and counts at the end of a name. */
const technicalEnd =
  /(?:\s+|\b)(?:@?\dx|\d{2,5}\s?x\s?\d{2,5}|v\d+|\d{4,}|\(\d+\)|copy|kopie|final|cmyk|rgb)$/i

/** `company-logo_2x.png` → “Company logo”; empty for a name without words about the picture. */
export function altFromName(name: string): string {
  let words = name
    .replace(/\.[a-z]{3,4}$/i, '')
    .replace(/[-_+]+/g, ' ')
    .trim()
  for (let before = ''; before !== words; ) {
    before = words
    words = words.replace(technicalEnd, '').trim()
  }
  if (meaningless.test(words) || !/\p{L}{2}/u.test(words)) return ''
  return words.charAt(0).toUpperCase() + words.slice(1, 200)
}
