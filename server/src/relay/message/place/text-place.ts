import { TimeSlice } from '#kernel/base/time-slice.ts'
import { longestJudgedLine } from '../quotes/attribution-start.ts'
import { endsAttribution, isLikelyAttribution } from '../quotes/attributions.ts'
import { labelOf } from '../quotes/labels.ts'
import { QuoteLineReader, type QuoteReading } from '../quotes/quote-lines.ts'
import { isRule, titleOf } from '../quotes/quote-titles.ts'
import { addOwnRange, type BodyPlace, type BodyRange } from './body-place.ts'

const linesBetweenPauses = 200

interface TextLine {
  readonly start: number
  /** Without the line break. */
  readonly end: number
  readonly next: number
}

function* linesOf(body: Buffer): Generator<TextLine> {
  let start = 0
  while (start < body.length) {
    const lineBreak = body.indexOf(10, start)
    const next = lineBreak < 0 ? body.length : lineBreak + 1
    let end = lineBreak < 0 ? next : lineBreak
    while (end > start && (body[end - 1] === 13 || body[end - 1] === 32 || body[end - 1] === 9)) end--
    yield { start, end, next }
    start = next
  }
}

const isWhiteSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9

/** `>`, or `|` and a space as some old clients write. A second `|` belongs to a table. */
function hasQuoteMark(body: Buffer, { start, end }: TextLine): boolean {
  let at = start
  while (at < end && body[at] === 32 && at < start + 2) at++
  if (body[at] === 62) return true
  const isBar = body[at] === 124 && (at + 1 === end || body[at + 1] === 32)
  return isBar && !body.subarray(at + 1, end).includes(124)
}

/** `>>> Ada <ada@example.com> 1/2/2026 >>>` and `>>>>> "AL" == Ada writes:` introduce a quote. */
function isMarkedIntroduction(text: string): boolean {
  if (text.startsWith('>>> ')) return titleOf(text) !== null || isLikelyAttribution(text)
  return text.startsWith('>>>') && text.includes(' == ') && endsAttribution(text)
}

/** Some programs put the initials or the name of the author before the mark. */
const initialsMark = /^ {0,8}\p{L}{1,12}>/u
/** Marks of old programs. They count when the first line behind an attribution begins with one. */
const rareMarks = ['＞', '%', '}', ':', '!', '›', '»']

/** The end of a French attribution, in a line of its own. */
const isColon = (text: string): boolean => text === ':' || text === '：'

/**
 * Gateways that wrap quoted lines leave the end of a line without its mark. `isFull`: the first word had no room in the
 * line above, so that this can be shorter.
 */
const isSentenceEnd = (text: string): boolean => /[.!?:;…]["”)]?$/.test(text)
const isWrappedEnd = (above: string, text: string, isFull: boolean): boolean =>
  above.length >= (isFull ? 25 : 40) && !isSentenceEnd(above) && /^(?:\p{Ll}|[\d<(])/u.test(text)
/** Between two quoted lines, also one that begins with a capital. */
const isWrappedBetween = (above: string, isFull: boolean): boolean =>
  above.length >= 100 || (above.length >= (isFull ? 40 : 60) && !isSentenceEnd(above))

/** A diff: `14,15c14`, and lines that begin with `<` and `>`. */
const diffCommand = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/
const diffLine = /^(?:[<>](?: |$)|---$)/

/** Lines that mail apps add below a quote. */
const appFooter =
  /^(?:sent (?:from|via|with|using) |get outlook for |(?:von|auf) mein\p{L}* .* gesendet|gesendet (?:von|mit|über) |envoyé (?:de|à partir|depuis|avec) |enviado (?:desde|do|a partir|con) |inviato (?:da|con) |verzonden (?:vanaf|met|vanuit) |verstuurd vanaf |skickat (?:från|med) |sendt (?:fra|med) |lähetetty |wysłan\p{L} z |odesláno z |отправлено (?:с|из) |надіслано (?:з|із) |发自|寄自|iphoneから|나의 )/iu

/** Reads plain text once, from the top, and decides where the signature goes. */
class TextPlaceSearch {
  readonly #body: Buffer
  readonly #decode: (start: number, end: number) => string
  readonly #isAnswer: boolean
  readonly #lines: QuoteLineReader
  readonly #own: BodyRange[] = []
  #ownStart = 0
  /** Start of the quote, with its introduction; -1 until it is found. */
  #mark = -1
  /** The line above, if it has a quote mark or is the end of one that has. */
  #lastQuoted = ''
  /** Number of labels among the last lines with a quote mark. */
  #quotedLabels = 0
  /** The longest line with a quote mark. */
  #quoteWidth = 0
  #isDiff = false
  #rareMark: string | undefined
  /** Lines with `>` have been read: what follows without is written below the quote. */
  #isMarked = false
  /** Start of the text without a mark behind the last quoted line: an answer, or the introduction of the next quote. */
  #belowStart = -1
  /** True if that text is one line between two quoted ones, without an empty line, behind a very long one. */
  #isTight = false
  #isWrittenBelow = false
  #isBelowDashes = false

  constructor(body: Buffer, decode: (start: number, end: number) => string, reading: QuoteReading) {
    this.#body = body
    this.#decode = decode
    this.#isAnswer = reading.isAnswer
    this.#lines = new QuoteLineReader(reading)
  }

  async search(): Promise<BodyPlace> {
    const slice = new TimeSlice()
    let count = 0
    for (const line of linesOf(this.#body)) {
      if (!this.#read(line)) break
      if (++count % linesBetweenPauses === 0) await slice.pause()
    }
    const hasQuote = this.#mark >= 0
    if (!hasQuote || this.#isMarked) this.#endOwn(this.#body.length)
    const isBelow = this.#isWrittenBelow || this.#belowStart >= 0
    const at = hasQuote && !isBelow ? this.#mark : this.#body.length
    return { ...this.#placeAt(at), hasQuote, own: this.#own, visible: this.#body }
  }

  #endOwn(at: number): void {
    if (at > this.#ownStart) addOwnRange(this.#own, { start: this.#ownStart, end: at })
    this.#ownStart = at
  }

  /** Directly below the last line with text above `at`, with one empty line on both sides. */
  #placeAt(at: number): { place: number; before: string; after: string } {
    const body = this.#body
    let end = at
    while (end > 0 && isWhiteSpace(body[end - 1])) end--
    const lineBreak = body.indexOf(10, end)
    const place = end === 0 ? 0 : lineBreak < 0 || lineBreak >= at ? at : lineBreak + 1
    const isBroken = place === 0 || body[place - 1] === 10
    const isLast = at === body.length
    return {
      place,
      before: `${isBroken ? '' : '\n'}${end === 0 ? '' : '\n'}`,
      after: `${isLast && !isBroken ? '' : '\n'}${place === at && !isLast ? '\n' : ''}`,
    }
  }

  /** Returns whether to go on. */
  #read(line: TextLine): boolean {
    if (line.end === line.start) {
      this.#lines.end('gap')
      this.#lastQuoted = ''
      this.#isTight = false
      return true
    }
    const isLong = line.end - line.start > 4 * longestJudgedLine
    const text = isLong ? '' : this.#decode(line.start, line.end)
    if (this.#isQuoted(line, text)) this.#readQuoted(line, text)
    else if (this.#isMarked) return this.#readBelow(line, text)
    else return this.#readOwn(line, text)
    return true
  }

  /** In a new mail, lines with `>` are a quote below what introduces one; others are commands of a shell, or code. */
  #isQuoted(line: TextLine, text: string): boolean {
    this.#isDiff = diffCommand.test(text) || (this.#isDiff && diffLine.test(text))
    if (this.#isDiff) return false
    const isIntroduced = () => this.#mark >= 0 || this.#lines.introductionStart() !== null
    if (!hasQuoteMark(this.#body, line)) return this.#hasRareMark(text) && isIntroduced()
    if (this.#mark < 0 && isMarkedIntroduction(text)) return false
    if (this.#lines.isEndedBy(text)) return false
    return this.#isAnswer || isIntroduced()
  }

  #hasRareMark(text: string): boolean {
    if (initialsMark.test(text)) return true
    if (this.#rareMark !== undefined) return text.startsWith(this.#rareMark)
    const mark = rareMarks.find(rare => text.startsWith(rare))
    if (mark === undefined || this.#isMarked || isColon(text) || !this.#lines.isAttributed()) return false
    this.#rareMark = mark
    return true
  }

  #readQuoted(line: TextLine, text: string): void {
    const introduction = this.#lines.introductionStart()
    if (this.#mark < 0) this.#mark = introduction ?? this.#lines.titleStart() ?? line.start
    else if (this.#belowStart >= 0) this.#readNextQuote(introduction)
    this.#lines.forget()
    this.#isMarked = true
    this.#belowStart = -1
    this.#lastQuoted = text
    if (/[^>\s]/.test(text)) this.#quotedLabels = labelOf(text) === null ? 0 : this.#quotedLabels + 1
    this.#quoteWidth = Math.max(this.#quoteWidth, text.length)
    this.#endOwn(this.#own.length === 0 ? this.#mark : line.start)
    this.#ownStart = line.next
  }

  /** An answer between two quotes, or only the introduction of the second. */
  #readNextQuote(introduction: number | null): void {
    if (introduction === null) this.#isWrittenBelow ||= !this.#isTight
    else if (introduction > this.#belowStart) this.#beginAgain(introduction)
  }

  /** A quote with an introduction, below what was written behind another one. */
  #beginAgain(mark: number): void {
    this.#mark = mark
    this.#isWrittenBelow = false
  }

  #readBelow(line: TextLine, text: string): boolean {
    // Some clients put a mark before the labels alone.
    if (this.#quotedLabels >= 3) {
      this.#isMarked = false
      return false
    }
    const above = this.#lastQuoted
    const isFull = above.length + `${text} `.indexOf(' ') >= this.#quoteWidth
    const isWrapped = above !== '' && (isWrappedEnd(above, text, isFull) || text.endsWith(' >'))
    this.#lastQuoted = isWrapped ? text : ''
    if (isWrapped) return true
    this.#isTight = isWrappedBetween(above, isFull)
    if (text === '--' || isRule(text)) this.#isBelowDashes = true
    const mark = this.#lines.read({ start: line.start, text })
    const isOwn = !this.#isBelowDashes && !appFooter.test(text)
    if (isOwn && this.#belowStart < 0) this.#belowStart = line.start
    if (mark === null || this.#belowStart < 0) return true
    if (mark > this.#belowStart || this.#isWrittenBelow) this.#beginAgain(mark)
    this.#belowStart = -1
    this.#isMarked = false
    return this.#lines.isAttributed()
  }

  #readOwn(line: TextLine, text: string): boolean {
    const mark = this.#lines.read({ start: line.start, text })
    // Behind an attribution without `>`, and its last lines, the quote has no end.
    if (this.#mark >= 0) return this.#lines.introductionStart() === this.#mark
    if (mark === null) return true
    this.#mark = mark
    this.#endOwn(mark)
    // Lines with `>` can follow an attribution or a title, with an answer below them. A header block has no end.
    return this.#lines.isAttributed() || this.#lines.hasTitle()
  }
}

/** Finds the place of the signature in a plain text. `decode` gives the text of a range of its bytes. */
export const findTextPlace = (
  body: Buffer,
  decode: (start: number, end: number) => string,
  reading: QuoteReading,
): Promise<BodyPlace> => new TextPlaceSearch(body, decode, reading).search()
