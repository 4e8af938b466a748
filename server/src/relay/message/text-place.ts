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

/** Lines that begin with `>`, or with `|` and a space as some old clients write. */
function isQuotedLine(body: Buffer, { start, end }: TextLine): boolean {
  let at = start
  while (at < end && body[at] === 32 && at < start + 2) at++
  return body[at] === 62 || (body[at] === 124 && body[at + 1] === 32)
}

/** Reads plain text once, from the top, and decides where the signature goes. */
class TextPlaceSearch {
  readonly #body: Buffer
  readonly #decode: (start: number, end: number) => string
  readonly #lines = new QuoteLineReader()
  readonly #own: BodyRange[] = []
  #ownStart = 0
  /** Where the quote begins, with what introduces it; -1 until it is found. */
  #mark = -1
  /** Lines with `>` have been read: what follows without is written below the quote. */
  #isMarked = false
  #isWrittenBelow = false
  #isBelowDashes = false

  constructor(body: Buffer, decode: (start: number, end: number) => string) {
    this.#body = body
    this.#decode = decode
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
    if (isQuotedLine(this.#body, line)) this.#readQuoted(line)
    else if (this.#isMarked) this.#readBelow(line)
    else return this.#readOwn(line)
    return true
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

/** Where the signature goes in a plain text. `decode` gives the text of a range of its bytes. */
export const findTextPlace = (body: Buffer, decode: (start: number, end: number) => string): BodyPlace =>
  new TextPlaceSearch(body, decode).search()
