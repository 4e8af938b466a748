/** Letters that Unicode does not split into a Latin one and a mark. */
const spellings: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
  Ð: 'D',
  '–': '-',
  '—': '-',
  '‑': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '•': '*',
  '·': '*',
  '©': '(c)',
  '®': '(R)',
  '€': 'EUR',
  '£': 'GBP',
  '→': '->',
}

/** A line in ASCII letters, or null when it has letters of another script. */
function plainLine(line: string): string | null {
  let plain = ''
  for (const letter of line.normalize('NFKD')) {
    if (/\p{M}/u.test(letter)) continue
    const spelled = letter < '\x80' ? letter : spellings[letter]
    if (spelled !== undefined) plain += spelled
    else if (/[\p{L}\p{N}]/u.test(letter)) return null
  }
  return plain.trimEnd()
}

/** A text in ASCII, for a part whose bytes cannot be read. Lines in another script are left out. */
export const plainLetters = (text: string): string =>
  text
    .split('\n')
    .map(plainLine)
    .filter(line => line !== null)
    .join('\n')
    .trim()
