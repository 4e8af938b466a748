import { addOwnRange, type BodyPlace, type BodyRange } from './body-place.ts'
import { longestJudgedLine, QuoteLineReader } from './quote-lines.ts'

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

/** `>`, or `|` and a space as some old clients write. A second `|` belongs to a table. */
function hasQuoteMark(body: Buffer, { start, end }: TextLine): boolean {
  let at = start
  while (at < end && body[at] === 32 && at < start + 2) at++
  if (body[at] === 62) return true
  const isBar = body[at] === 124 && body[at + 1] === 32
  return isBar && !body.subarray(at + 1, end).includes(124)
}

/** Reads plain text once, from the top, and decides where the signature goes. */
class TextPlaceSearch {
  readonly #body: Buffer
  readonly #decode: (start: number, end: number) => string
  readonly #isAnswer: boolean
  readonly #lines = new QuoteLineReader()
  readonly #own: BodyRange[] = []
  #ownStart = 0
  /** Where the quote begins, with what introduces it; -1 until it is found. */
  #mark = -1
  /** Lines with `>` have been read: what follows without is written below the quote. */
  #isMarked = false
  #isWrittenBelow = false
  #isBelowDashes = false

  constructor(body: Buffer, decode: (start: number, end: number) => string, isAnswer: boolean) {
    this.#body = body
    this.#decode = decode
    this.#isAnswer = isAnswer
  }

  search(): BodyPlace {
    for (const line of linesOf(this.#body)) if (!this.#read(line)) break
    const hasQuote = this.#mark >= 0
    if (!hasQuote || this.#isMarked) this.#endOwn(this.#body.length)
    const at = hasQuote && !this.#isWrittenBelow ? this.#mark : this.#body.length
    return { ...this.#placeAt(at), hasQuote, own: this.#own, shown: this.#body }
  }

  #endOwn(at: number): void {
    if (at > this.#ownStart) addOwnRange(this.#own, { start: this.#ownStart, end: at })
    this.#ownStart = at
  }

  /** Directly below the last line with text above `at`, with one empty line on both sides. */
  #placeAt(at: number): { place: number; before: string; after: string } {
    const body = this.#body
    let end = at
    while (end > 0 && [9, 10, 13, 32].includes(body[end - 1] as number)) end--
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
      this.#lines.gap()
      return true
    }
    if (this.#isQuoted(line)) this.#readQuoted(line)
    else if (this.#isMarked) this.#readBelow(line)
    else return this.#readOwn(line)
    return true
  }

  /** In a new mail, lines with `>` are a quote below what introduces one; others are commands of a shell, or code. */
  #isQuoted(line: TextLine): boolean {
    if (!hasQuoteMark(this.#body, line)) return false
    return this.#isAnswer || this.#mark >= 0 || this.#lines.introductionStart() !== null
  }

  #readQuoted(line: TextLine): void {
    if (!this.#isMarked && this.#mark < 0) this.#mark = this.#lines.introductionStart() ?? line.start
    this.#isMarked = true
    this.#endOwn(this.#own.length === 0 ? this.#mark : line.start)
    this.#ownStart = line.next
  }

  #readBelow(line: TextLine): void {
    if (this.#body.toString('latin1', line.start, line.end) === '--') this.#isBelowDashes = true
    if (!this.#isBelowDashes) this.#isWrittenBelow = true
  }

  #readOwn(line: TextLine): boolean {
    // Behind an attribution without `>`: the quote has no end.
    if (this.#mark >= 0) return false
    const isLong = line.end - line.start > 4 * longestJudgedLine
    const text = isLong ? '' : this.#decode(line.start, line.end)
    const mark = this.#lines.read({ start: line.start, text })
    if (mark === null) return true
    this.#mark = mark
    this.#endOwn(mark)
    // Lines with `>` can follow an attribution, with an answer below them. A header block has no end.
    return this.#lines.isAttributed()
  }
}

/**
 * Where the signature goes in a plain text. `decode` gives the text of a range of its bytes. `isAnswer`: the header says
 * that the message answers another one.
 */
export const findTextPlace = (
  body: Buffer,
  decode: (start: number, end: number) => string,
  isAnswer: boolean,
): BodyPlace => new TextPlaceSearch(body, decode, isAnswer).search()
