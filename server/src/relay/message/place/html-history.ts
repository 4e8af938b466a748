import type { HtmlToken } from './html-tokens.ts'

/** The part of a token that is kept: enough to walk back over it. */
interface PastToken {
  readonly kind: HtmlToken['kind']
  readonly name: string
  readonly start: number
  readonly isBlank: boolean
}

const most = 600
/** Out of a table only as a whole: nothing can stand between its rows. */
const insideTable = new Set(['td', 'th', 'tr', 'tbody', 'thead', 'tfoot'])
const walls = new Set([
  'body',
  'html',
  'head',
  'li',
  'ul',
  'ol',
  'img',
  'caption',
  'colgroup',
  'col',
  'style',
  'script',
])
const empty = new Set(['br', 'hr', 'meta', 'link', 'wbr', 'base'])

/** Spaces and invisible letters as entities, and as the bytes of UTF-8. */
const blankPieces = [
  '&nbsp;',
  '&nbsp',
  '&#160;',
  '&#xa0;',
  '&zwnj;',
  '&#8203;',
  '\xc2',
  '\xe2\x80\x8b',
  '\xef\xbb\xbf',
]

/** More spaces are no empty line of a mail client, and take long to read. */
const longestBlank = 10_000

/** True if a reader sees nothing of a text. The text is bytes read as Latin-1, in which trim() removes \xa0. */
export function isBlankHtml(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return true
  if (trimmed.length > longestBlank || !/^[&\xc2\xe2\xef]/.test(trimmed)) return false
  let rest = trimmed.toLowerCase()
  for (const piece of blankPieces) rest = rest.replaceAll(piece, ' ')
  return rest.trim() === ''
}

/** The last tokens before the place that the search has reached. */
export class HtmlHistory {
  #tokens: PastToken[] = []

  add({ kind, name, start }: HtmlToken, isBlank: boolean): void {
    this.#tokens.push({ kind, name, start, isBlank })
    if (this.#tokens.length >= 2 * most) this.#tokens = this.#tokens.slice(-most)
  }

  /**
   * The earliest place before `mark` with nothing to see in between, and with every element either around both or
   * around none: over empty lines, rules and the opening tags of the element that the mark is in.
   */
  placeBefore(mark: number): number {
    let best = mark
    let depth = 0
    for (let index = this.#tokens.length - 1; index >= 0; index--) {
      const token = this.#tokens[index] as PastToken
      if (token.start >= mark || token.kind === 'comment') continue
      if (token.kind === 'text') {
        if (!token.isBlank) break
        continue
      }
      if (walls.has(token.name) || (token.kind === 'close' && insideTable.has(token.name))) break
      if (empty.has(token.name)) {
        if (depth === 0 && token.kind === 'open') best = token.start
        continue
      }
      if (token.kind === 'close') {
        depth++
        continue
      }
      if (depth > 0) depth--
      if (depth === 0 && !insideTable.has(token.name)) best = token.start
    }
    return best
  }
}
