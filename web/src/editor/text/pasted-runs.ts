// Words that come from another program: collected piece by piece, with white space and empty lines as a signature needs
// them, and given the style at the cursor.
import { safeUrl, type TextStyle, type Token } from '@signoff/render'

export interface PastedStyle {
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly href: string | undefined
}

export interface PastedRun extends PastedStyle {
  readonly text: string
}

export const plainPasted: PastedStyle = {
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  href: undefined,
}

/** More is no signature. */
export const maxPastedLength = 20_000
const maxLineBreaks = 2

/** Zero-width characters and soft hyphens stay invisible in a mail, and split words in a search. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g

const isSameStyle = (a: PastedStyle, b: PastedStyle): boolean =>
  a.isBold === b.isBold && a.isItalic === b.isItalic && a.isUnderlined === b.isUnderlined && a.href === b.href

/** Line breaks and blanks wait until the next word comes: at the end of a line they are left out. */
export class PastedRuns {
  readonly #runs: PastedRun[] = []
  #length = 0
  #lineBreaks = 0
  #isLineBegun = false
  #hasSpace = false

  /** Mails show many blanks as one; so does this. */
  addText(text: string, style: PastedStyle): void {
    for (const part of text.replaceAll(invisible, '').split(/([\s\u00a0]+)/)) {
      if (part === '') continue
      if (/^[\s\u00a0]/.test(part)) this.#hasSpace = true
      else this.#addWord(part, style)
    }
  }

  addLineBreak(): void {
    this.#lineBreaks += 1
    this.#isLineBegun = false
    this.#hasSpace = false
  }

  /** The begin or the end of a paragraph: a line break, unless the line is empty. */
  endLine(): void {
    if (this.#isLineBegun) this.addLineBreak()
    else this.#hasSpace = false
  }

  get isFull(): boolean {
    return this.#length >= maxPastedLength
  }

  /** Blanks after the last word stay only where the last line has not ended. */
  runs(): readonly PastedRun[] {
    const last = this.#runs.at(-1)
    const isOpen = last && this.#isLineBegun && this.#hasSpace
    return isOpen ? [...this.#runs.slice(0, -1), { ...last, text: `${last.text} ` }] : this.#runs
  }

  #addWord(word: string, style: PastedStyle): void {
    if (this.isFull) return
    const isFirst = this.#runs.length === 0
    const breaks = isFirst ? '' : '\n'.repeat(Math.min(this.#lineBreaks, maxLineBreaks))
    const space = this.#hasSpace && (this.#isLineBegun || (isFirst && this.#lineBreaks === 0)) ? ' ' : ''
    this.#lineBreaks = 0
    this.#hasSpace = false
    this.#isLineBegun = true
    this.#add(breaks + space, word, style)
  }

  /** White space before a link, and before underlined words, is no part of them. */
  #add(space: string, word: string, style: PastedStyle): void {
    this.#length += space.length + word.length
    const last = this.#runs.at(-1)
    if (last && isSameStyle(last, style)) {
      this.#runs[this.#runs.length - 1] = { ...last, text: last.text + space + word }
      return
    }
    if (last && space !== '' && last.href === undefined && !last.isUnderlined) {
      this.#runs[this.#runs.length - 1] = { ...last, text: last.text + space }
      this.#runs.push({ ...style, text: word })
      return
    }
    const isDecorated = style.href !== undefined || style.isUnderlined
    if (space !== '' && isDecorated)
      this.#runs.push({ ...plainPasted, text: space }, { ...style, text: word })
    else this.#runs.push({ ...style, text: space + word })
  }
}

/** Text without markup: its line breaks stay, tabs become blanks. */
export function runsOfText(text: string): readonly PastedRun[] {
  const runs = new PastedRuns()
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .forEach((line, index) => {
      if (index > 0) runs.addLineBreak()
      runs.addText(line, plainPasted)
    })
  return runs.runs()
}

function styleOfRun(
  { isBold, isItalic, isUnderlined }: PastedRun,
  style: TextStyle | undefined,
): TextStyle | undefined {
  const own: TextStyle = {
    ...(isBold && { fontWeight: 'bold' as const }),
    ...(isItalic && { fontStyle: 'italic' as const }),
    ...(isUnderlined && { textDecoration: 'underline' as const }),
  }
  return style || Object.keys(own).length > 0 ? { ...style, ...own } : undefined
}

/** Fonts, colours and sizes are those at the cursor. */
export const tokensOfRuns = (
  runs: readonly PastedRun[],
  style: TextStyle | undefined,
  hasLinks: boolean,
): readonly Token[] =>
  runs.map(run => {
    const textStyle = styleOfRun(run, style)
    return {
      value: run.text,
      ...(textStyle && { textStyle }),
      ...(hasLinks && run.href !== undefined && { href: { text: run.href } }),
    }
  })

const schemes = ['https:', 'http:', 'mailto:', 'tel:']
/** Parameters that name a click or a reader of another mail. */
const clickIds =
  /^(gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_[ce]id|_hsenc|_hsmi|mkt_tok|vero_id|oly_(anon|enc)_id)$/i

/** The address behind the one that a mail program or a search engine has put in its place. */
function behindRedirect(url: URL): string | null {
  if (url.hostname.endsWith('.safelinks.protection.outlook.com')) return url.searchParams.get('url')
  const isGoogle = /^(www\.)?google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url'
  return isGoogle ? (url.searchParams.get('q') ?? url.searchParams.get('url')) : null
}

/** The target of a link that is pasted; undefined when it is not allowed or leads nowhere. */
export function pastedHref(address: string): string | undefined {
  if (!URL.canParse(address.trim())) return undefined
  const url = new URL(address.trim())
  const target = behindRedirect(url)
  if (target !== null) return pastedHref(target)
  if (!schemes.includes(url.protocol)) return undefined
  const removed = [...url.searchParams.keys()].filter(key => clickIds.test(key))
  for (const key of removed) url.searchParams.delete(key)
  return safeUrl(removed.length > 0 ? url.href : address) ?? undefined
}
