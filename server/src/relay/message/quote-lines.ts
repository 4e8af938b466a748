// Recognises the beginning of a quote by its lines, for clients that put no mark into the HTML, and for plain text.
import { forwardIntros, labelOf, type QuoteLabel, saysWrote, visibleText } from './labels.ts'

/** A line with text, and where it begins in the body. */
export interface BodyLine {
  readonly start: number
  readonly text: string
}

/** Longer lines are text of the sender: no label and no attribution is that long. */
export const longestJudgedLine = 400

/** A header block of a quoted message is at most so many lines high: long lists of recipients are folded. */
const headerBlockLines = 12

/** `-----Original Message-----`, in any language. */
const isDashedTitle = (text: string): boolean =>
  text.length < 90 && /^-{3,}[^-]/.test(text) && /[^-]-{3,}$/.test(text) && /\p{L}/u.test(text)

/** A rule of underscores or dashes. */
const isRule = (text: string): boolean => /^(?:_{5,}|-{10,}|={10,}|\*{10,}|—{5,}|─{5,})$/.test(text)

const isForwardIntro = (text: string): boolean =>
  text.length < 90 && forwardIntros.has(text.toLowerCase().replace(/ ?[:：]$/, ''))

/** Digits outside addresses. A date with a time has six or more, a year has four. */
const digitsIn = (text: string): number =>
  text
    .split(' ')
    .filter(word => !word.includes('@'))
    .join('')
    .replace(/\P{Nd}/gu, '').length

/** Zoho ends with dashes instead of a colon. */
const endsAttribution = (text: string): boolean => /[:：]$|[^-]-{2,4}$/.test(text)

/** Six digits, a word for *wrote* and a colon: shorter lines need no closer look. */
const shortestAttribution = 9

/** Clients fold an attribution near the 76th column. */
const shortestFoldedLine = 40

/** `On 5 May 2026 at 10:00, Ada wrote:`: certain without a quote behind it. */
const isCertainAttribution = (text: string): boolean =>
  text.length >= shortestAttribution && endsAttribution(text) && digitsIn(text) >= 6 && saysWrote(text)

/** Attribution of a quote that follows: fewer signs are enough. */
const isAttributionBeforeQuote = (text: string): boolean =>
  endsAttribution(text) &&
  (digitsIn(text) >= 6 || saysWrote(text) || (text.includes('@') && digitsIn(text) >= 4))

/** Reads lines with text from top to bottom. */
export class QuoteLineReader {
  /** The last lines with text, the newest last. A gap separates paragraphs. */
  #recent: { readonly start: number; readonly text: string; hasGapBelow: boolean }[] = []
  #block: { readonly start: number; readonly found: Set<QuoteLabel>; lines: number } | null = null
  #blockLead: number | null = null

  /** An empty line. */
  gap(): void {
    const last = this.#recent.at(-1)
    if (last) last.hasGapBelow = true
  }

  /** Returns where the quote begins once a line proves that there is one. */
  read({ start, text: written }: BodyLine): number | null {
    const text = written === '' || written.length > longestJudgedLine ? '' : visibleText(written)
    const label = text === '' ? null : labelOf(text)
    const before = this.#recent.at(-1)
    const mark = this.#readLabel(label, start, before)
    this.#recent.push({ start, text, hasGapBelow: false })
    if (this.#recent.length > 3) this.#recent.shift()
    if (mark !== null) return mark
    return this.attributionStart(isCertainAttribution)
  }

  #readLabel(label: QuoteLabel | null, start: number, before: BodyLine | undefined): number | null {
    if (this.#block && ++this.#block.lines > headerBlockLines) this.#block = null
    if (label === null) return null
    const isIntroduced = before !== undefined && (isDashedTitle(before.text) || isForwardIntro(before.text))
    if (isIntroduced) return before.start
    if (!this.#block) {
      this.#blockLead = before && isRule(before.text) ? before.start : null
      if (this.#blockLead !== null && label === 'from') return this.#blockLead
      this.#block = { start, found: new Set(), lines: 0 }
    }
    const { found } = this.#block
    found.add(label)
    return found.has('from') && found.has('subject') && found.size >= 3
      ? (this.#blockLead ?? this.#block.start)
      : null
  }

  /** Where the lines begin that introduce a quote which begins now, or null when the last lines do not. */
  introductionStart(): number | null {
    const last = this.#recent.at(-1)
    if (last && (isDashedTitle(last.text) || isForwardIntro(last.text))) return last.start
    return this.attributionStart(isAttributionBeforeQuote)
  }

  /** Whether the last lines can introduce a blockquote. */
  isAttributed(): boolean {
    return this.attributionStart(isAttributionBeforeQuote) !== null
  }

  hasLabelOrTitle(): boolean {
    const text = this.#recent.at(-1)?.text ?? ''
    return labelOf(text) !== null || isDashedTitle(text)
  }

  /** The title or rule directly above, which belongs to a quote that a mark in the HTML begins. */
  titleStart(): number | null {
    const last = this.#recent.at(-1)
    return last && (isDashedTitle(last.text) || isForwardIntro(last.text) || isRule(last.text))
      ? last.start
      : null
  }

  /** An attribution can be folded: the fewest of the last three lines that make one. */
  attributionStart(isAttribution: (text: string) => boolean): number | null {
    let text = ''
    for (let count = 1; count <= this.#recent.length; count++) {
      const line = this.#recent.at(-count) as BodyLine & { hasGapBelow: boolean }
      if (line.text === '' || (count > 1 && (line.hasGapBelow || line.text.length < shortestFoldedLine)))
        return null
      text = text === '' ? line.text : `${line.text} ${text}`
      if (!endsAttribution(text) || text.length > longestJudgedLine) return null
      if (isAttribution(text)) return line.start
    }
    return null
  }
}
