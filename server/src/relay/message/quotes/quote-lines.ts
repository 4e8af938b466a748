// Recognises the beginning of a quote by its lines, for clients that put no mark into the HTML, and for plain text.
import { canBeAttribution, lastAttribution, longestJudgedLine, type PastLine } from './attribution-start.ts'
import {
  endsAttribution,
  endsLikeAttribution,
  hasDate,
  isAttributionBeforeQuote,
  isAttributionParagraph,
  isAttributionWithText,
  isCertainAttribution,
  isDateLine,
  isLikelyAttribution,
  isOpenAtEnd,
  isTimeLine,
} from './attributions.ts'
import {
  columnLabel,
  isDateValue,
  labelOf,
  labelsIn,
  type QuoteLabel,
  saysForwarded,
  saysMessage,
  visibleText,
} from './labels.ts'
import { isRule, titleOf } from './quote-titles.ts'

/** A line with text, and where it begins in the body. */
export interface BodyLine {
  readonly start: number
  readonly text: string
  /** The text when `text` is empty because the line has no sign of a quote. An attribution can begin with it. */
  readonly folded?: () => string
}

interface HeaderBlock {
  readonly start: number
  readonly labels: Set<QuoteLabel>
  /** The label for the date has another value: the sender made a list. */
  isList: boolean
  /** A line has an address or a time. */
  isMail: boolean
  /** The last line of the block, and the number of lines since its last label: long lists of recipients are folded. */
  last: PastLine
  foldedCount: number
}

/** Lines that are looked back on. */
const recentLines = 10
/** A list of recipients in a header block is folded into at most so many lines. */
const foldedRecipients = 12
/** Lines behind a title in which something proves it. */
const provingLines = 3

export interface QuoteReading {
  /** The message answers or forwards another one, by its header: fewer signs are enough. */
  readonly isAnswer: boolean
  /** Number of times that the last lines are still compared with an attribution. */
  readonly budget: { attributions: number }
}

/** Reads lines with text from top to bottom. */
export class QuoteLineReader {
  readonly #isAnswer: boolean
  readonly #budget: QuoteReading['budget']
  /** The newest last. */
  #recent: PastLine[] = []
  #block: HeaderBlock | null = null
  /** A line that can be the title of a quote, while the lines behind it have not proven it. */
  #title: { readonly start: number; readonly isNamed: boolean; left: number } | null = null

  constructor({ isAnswer, budget }: QuoteReading) {
    this.#isAnswer = isAnswer
    this.#budget = budget
  }

  /** Lines of a quote come: what stands above them introduces nothing behind them. */
  forget(): void {
    this.#recent = []
    this.#block = null
    this.#title = null
  }

  /** Notes the break behind the last line. Of several, the strongest counts. */
  end(by: PastLine['end']): void {
    const last = this.#recent.at(-1)
    if (last && last.end !== 'gap' && by !== 'break') last.end = by
  }

  /** Returns where the quote begins once a line proves that there is one. */
  read({ start, text: written, folded }: BodyLine): number | null {
    const visible = written === '' || written.length > longestJudgedLine ? '' : visibleText(written)
    const text = visible.includes(' == ') ? visible.replace(/^>{3,} ?(?="\w)/, '') : visible
    const paragraph = this.#isAnswer ? this.#paragraphStart() : null
    const before = this.#recent.at(-1)
    const paragraphStart = before?.end === 'break' ? before.paragraphStart : start
    const hasSign = text === '' || /[\p{Nd}@]/u.test(text)
    const line: PastLine = { start, text, folded, hasSign, end: 'break', paragraphStart }
    this.#recent.push(line)
    if (this.#recent.length > recentLines) this.#recent.shift()
    if (paragraph !== null) return this.#withLead(paragraph)
    if (text === '') this.#block = null
    const mark =
      text === ''
        ? null
        : (this.#titleMark(line) ?? this.#blockMark(line, written) ?? this.#attributionMark(line))
    return mark === null ? null : this.#withLead(mark)
  }

  /** An attribution that an empty line proves. */
  #paragraphStart(): number | null {
    const last = this.#recent.at(-1)
    if (last?.end !== 'gap') return null
    // Help desks write a rule, and name and date in a line of their own.
    const isDated = last.paragraphStart === last.start && isTimeLine(last.text) && this.#leadOf(last.start)
    if (isDated) return last.start
    return canBeAttribution(this.#recent) ? this.#attributionStart(isAttributionParagraph) : null
  }

  #titleMark({ start, text }: PastLine): number | null {
    const title = titleOf(text)
    if (title === 'proven' || (title === 'certain' && this.#isAnswer)) return start
    if (title !== null) this.#title = { start, isNamed: saysMessage(text), left: provingLines }
    else if (this.#title) {
      const isDated = isAttributionBeforeQuote(text) || isDateLine(text)
      const isProof = labelOf(text) !== null || (this.#title.isNamed && isDated)
      if (isProof) return this.#title.start
      if (--this.#title.left === 0) this.#title = null
    }
    return null
  }

  #blockMark(line: PastLine, written: string): number | null {
    const before = this.#recent.at(-2)
    const column = columnLabel(written)
    const labels = column === null ? labelsIn(line.text) : [column]
    // The second From begins the header block below a list of the sender.
    const isRepeated = labels.includes('from') && this.#block?.labels.has('from') === true
    const isContinued = this.#block !== null && this.#block.last === before && !isRepeated
    if (this.#block && isContinued) this.#block.last = line
    if (labels.length === 0) {
      const isFolded = isContinued && before?.end !== 'gap'
      if (!isFolded || (this.#block && ++this.#block.foldedCount > foldedRecipients)) this.#block = null
      return null
    }
    if (!this.#block || !isContinued)
      this.#block = {
        start: line.start,
        labels: new Set(),
        isList: false,
        isMail: false,
        last: line,
        foldedCount: 0,
      }
    this.#block.foldedCount = 0
    for (const label of labels) this.#block.labels.add(label)
    this.#block.isList ||= labels[0] === 'date' && !isDateValue(line.text)
    this.#block.isMail ||= /@|\d[:.]\d\d/.test(line.text)
    const isTable = column !== null && this.#block.labels.size >= 3
    return isTable ? line.paragraphStart : this.#provenBlock(this.#block)
  }

  #provenBlock({ start, labels, isList, isMail }: HeaderBlock): number | null {
    // With all labels, it is a header block whose date is shortened or a weekday.
    if (labels.size < (isList ? 4 : 3)) return null
    const isIntroduced = this.#leadOf(start) !== null
    if (labels.has('from') && (labels.has('subject') || (labels.has('date') && isMail)))
      return this.#isAnswer || isIntroduced ? start : null
    // Notes writes name and date of the sender above the labels.
    return this.#isAnswer && !labels.has('from') ? this.#senderAbove(start) : null
  }

  #senderAbove(start: number): number | null {
    const at = this.#recent.findIndex(line => line.start === start)
    const above = this.#recent.slice(Math.max(0, at - 3), at)
    return above.find(({ text }) => hasDate(text) && /@|\d[:.]\d\d/.test(text))?.start ?? null
  }

  #attributionMark({ start, text }: PastLine): number | null {
    if (isAttributionWithText(text)) return start
    if (!endsLikeAttribution(text) || !canBeAttribution(this.#recent)) return null
    return this.#attributionStart(this.#isAnswer ? isLikelyAttribution : isCertainAttribution)
  }

  /**
   * Returns the start of the lines that introduce a quote which begins now, or null when the last lines introduce none.
   */
  introductionStart(): number | null {
    const last = this.#recent.at(-1)
    const start = last && titleOf(last.text) ? last.start : this.#attributionStart(isAttributionBeforeQuote)
    return start === null ? null : this.#withLead(start)
  }

  /** True if the last lines can introduce a blockquote. */
  isAttributed(): boolean {
    return this.#attributionStart(isAttributionBeforeQuote) !== null
  }

  hasLabelOrTitle(): boolean {
    const text = this.#recent.at(-1)?.text ?? ''
    return labelOf(text) !== null || titleOf(text) !== null
  }

  /** The title or rule directly above, which belongs to a quote that begins now. */
  titleStart(): number | null {
    const last = this.#recent.at(-1)
    const isLead = last && (titleOf(last.text) !== null || this.#isOpeningRule(this.#recent.length - 1))
    return isLead ? last.start : null
  }

  /** The second of two rules ends a signature of the sender. */
  #isOpeningRule(at: number): boolean {
    const { text = '', end } = this.#recent[at] ?? {}
    return isRule(text) && !(end === 'gap' && this.#recent.slice(0, at).some(line => line.text === text))
  }

  /** The last line is a title: lines with quote marks can follow. */
  hasTitle(): boolean {
    return titleOf(this.#recent.at(-1)?.text ?? '') !== null
  }

  /** `>:` and `> wrote:` end an attribution that is folded in a bracket. */
  isEndedBy(text: string): boolean {
    if (!endsAttribution(text)) return false
    const above = this.#recent.slice(-3).map(line => line.text)
    return isOpenAtEnd(above.join(' '))
  }

  /** The title or the rule above the beginning of a quote belongs to the quote. */
  #withLead(start: number): number {
    const lead = this.#leadOf(start)
    return lead === null ? start : this.#withLead(lead.start)
  }

  #leadOf(start: number): PastLine | null {
    const at = this.#recent.findIndex(line => line.start === start)
    const lead = this.#recent[at - 1]
    if (!lead) return null
    const isTitle = titleOf(lead.text) !== null
    if (isTitle && (lead.end !== 'gap' || saysMessage(lead.text))) return lead
    // Some clients write labels above the attribution, or who forwarded a message above its title.
    const isAdjacent = lead.end !== 'gap' && (labelOf(lead.text) !== null || saysForwarded(lead.text))
    if (isAdjacent && lead.text.includes('@')) return lead
    const above = this.#recent[at - 2]
    if (isAdjacent && above && above.end !== 'gap' && labelOf(above.text) !== null) return lead
    if (lead.end !== 'gap' && lead.text.startsWith('>')) return lead
    return this.#isOpeningRule(at - 1) ? lead : null
  }

  #attributionStart(isAttribution: (text: string) => boolean): number | null {
    if (--this.#budget.attributions < 0) return null
    const attribution = lastAttribution(this.#recent)
    return attribution && isAttribution(attribution.text) ? attribution.start : null
  }
}
