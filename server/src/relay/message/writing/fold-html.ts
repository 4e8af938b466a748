/** The standard allows 998 characters in a line. */
const longestLine = 990

/** Non-ASCII letters as numbers: then the charset of the part does not matter. */
export const asciiHtml = (html: string): string =>
  html.replace(/[\u0080-\u{10ffff}]/gu, letter => `&#${letter.codePointAt(0)};`)

/**
 * Breaks long lines where HTML allows a break: at spaces between words and attributes, and before the end of a tag.
 * Null when an attribute value alone is too long for a line.
 */
export function foldHtml(html: string, newline: string): string | null {
  const lines: string[] = []
  for (const line of html.split(/\r\n|\r|\n/)) {
    const folded = foldLine(line)
    if (folded === null) return null
    lines.push(...folded)
  }
  return lines.join(newline)
}

function foldLine(line: string): string[] | null {
  const lines: string[] = []
  let start = 0
  /** Possible end of the line, and start of the next one. */
  let fold: { end: number; next: number } | null = null
  let quote = ''
  let isTag = false
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    if (quote !== '') quote = char === quote ? '' : quote
    else if (isTag && (char === '"' || char === "'")) quote = char
    else if (char === '<') isTag = true
    else if (char === '>') {
      if (isTag && line[at - 1] !== '/') fold = { end: at, next: at }
      isTag = false
    } else if (char === ' ' && at > start) fold = { end: at, next: at + 1 }
    if (at - start < longestLine) continue
    if (!fold || fold.next <= start) return null
    lines.push(line.slice(start, fold.end))
    start = fold.next
    fold = null
  }
  return [...lines, line.slice(start)]
}
