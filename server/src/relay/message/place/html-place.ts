import type { PastLine } from '../quotes/attribution-start.ts'
import { QuoteLineReader, type QuoteReading } from '../quotes/quote-lines.ts'
import { isAddedByClient, isQuoteComment, marksQuote } from '../quotes/quote-marks.ts'
import { addOwnRange, type BodyPlace, type BodyRange } from './body-place.ts'
import { HtmlHistory, isBlankHtml } from './html-history.ts'
import { type HtmlToken, readHtml, textOfHtml } from './html-tokens.ts'

const blocks = new Set(
  'address article blockquote body center dd dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li ol pre section table tbody tr ul'.split(
    ' ',
  ),
)
/** Editors write each line of a text into one of these, too. */
const lineBlocks = new Set(['div', 'p'])
/** Nothing in them is shown as a part of the mail: the signature cannot be in them either. */
const unseen = new Set(
  'script style title textarea xmp plaintext iframe noembed noframes noscript template select datalist canvas audio video'.split(
    ' ',
  ),
)
/** Elements without content, and those that the next block ends: a hidden one hides nothing behind it. */
const endingSoon = new Set('img br hr input meta link wbr col area p li td th tr dt dd option'.split(' '))

const isHidden = ({ name, attributes }: HtmlToken): boolean =>
  !endingSoon.has(name) &&
  (attributes.hidden !== undefined || /(?:^|[;\s])display\s*:\s*none/i.test(attributes.style ?? ''))

/** Lines at the beginning of a blockquote that can introduce what it quotes. */
const introductionLines = 6

const space = 32

/** Markup between the letters of one line: Word writes several hundred bytes around each word. */
const longestLineMarkup = 3_000

/**
 * own: what was written. introduction: the lines that begin a quote. lines: quoted lines, each with `>`. after: below a
 * quote that has ended.
 */
type Phase = 'own' | 'introduction' | 'quoted' | 'lines' | 'after' | 'decided'

/** Some clients draw the line beside a quote with a style. */
const hasLineBeside = ({ name, attributes }: HtmlToken): boolean =>
  name === 'div' &&
  (attributes.style ?? '').split(';').some(part => /^\s*border-left:/i.test(part) && /solid/i.test(part))

/** Reads HTML once, from the top, and decides where the signature goes. `html` is the bytes as Latin-1. */
class HtmlPlaceSearch {
  readonly #bytes: Buffer
  readonly #visible: Buffer
  readonly #html: string
  readonly #decode: (start: number, end: number) => string
  readonly #history = new HtmlHistory()
  readonly #lines: QuoteLineReader
  readonly #own: BodyRange[] = []
  #phase: Phase = 'own'
  #ownStart = 0
  #place = -1
  #hasQuote = false
  #isWrittenBelow = false
  #isBelowDashes = false
  #firstText = -1
  /** Lines that end with nothing in them since the last text. */
  #emptyLines = 0
  #isLineEnded = true
  #line = { start: -1, end: -1 }
  /** The last line has a quote mark. */
  #isMarked = false
  #preDepth = 0
  #quoteDepth = 0
  #quoteStart = -1
  #introductionLines = 0
  /** A blockquote without an introduction above it: its first lines can be the introduction. */
  #newBlockquote = { start: -1, lines: 0 }
  #unseen = { name: '', start: -1, depth: 0 }
  #skipped = { name: '', depth: 0 }
  #bodyEnd = -1
  #end = 0

  constructor(
    bytes: Buffer,
    html: string,
    decode: (start: number, end: number) => string,
    reading: QuoteReading,
  ) {
    this.#lines = new QuoteLineReader(reading)
    this.#bytes = bytes
    this.#visible = Buffer.alloc(bytes.length, space)
    this.#html = html
    this.#decode = decode
  }

  async search(): Promise<BodyPlace> {
    await readHtml(this.#html, token => this.#read(token))
    if (this.#phase !== 'decided') this.#endLine('gap')
    if (this.#phase === 'own' || this.#phase === 'after') this.#endOwn(this.#html.length)
    // Also above a mark with nothing behind it: there, a second pass would take the signature for the quote.
    const isAbove = this.#place >= 0 && !this.#isWrittenBelow
    if (!this.#hasQuote) this.#endOwn(this.#html.length)
    const place = isAbove ? this.#place : this.#lastPlace()
    const hasTextAbove = this.#firstText >= 0 && this.#firstText < place
    const hasGap = !isAbove && this.#emptyLines > 0
    const before = hasTextAbove && !hasGap ? '<br>' : ''
    return { place, hasQuote: this.#hasQuote, before, after: '', own: this.#own, visible: this.#visible }
  }

  /** Before `</body>`, or after the last complete tag or text that is shown. */
  #lastPlace(): number {
    // A last quote that is never closed would take the signature in.
    if (this.#phase === 'quoted') return this.#quoteStart
    if (this.#unseen.start >= 0) return this.#unseen.start
    return this.#bodyEnd >= 0 ? this.#bodyEnd : this.#end
  }

  #endOwn(at: number): void {
    if (at > this.#ownStart) addOwnRange(this.#own, { start: this.#ownStart, end: at })
    this.#ownStart = at
  }

  /** Returns whether to go on. */
  #read(token: HtmlToken): boolean {
    if (this.#isUnseen(token)) return true
    this.#end = token.end
    if (token.kind === 'text') this.#readText(token)
    else if (token.kind === 'comment') this.#readComment(token)
    else this.#readTag(token)
    return this.#phase !== 'decided'
  }

  /** True if the token is inside an element that is not shown. */
  #isUnseen({ kind, name }: HtmlToken): boolean {
    if (this.#unseen.depth === 0) return false
    if (name === this.#unseen.name) this.#unseen.depth += kind === 'open' ? 1 : -1
    if (this.#unseen.depth > 0) return true
    this.#unseen.start = -1
    return false
  }

  /** Line breaks count in preformatted text. */
  #readText(token: HtmlToken): void {
    if (this.#preDepth === 0) {
      this.#readPiece(token)
      return
    }
    for (let start = token.start; start < token.end; ) {
      const lineBreak = this.#html.indexOf('\n', start)
      const end = lineBreak < 0 || lineBreak >= token.end ? token.end : lineBreak + 1
      const isEmpty = this.#isLineEnded && this.#html.slice(start, end).trim() === ''
      this.#readPiece({ ...token, start, end })
      if (end === lineBreak + 1) this.#endLine(isEmpty ? 'gap' : 'break')
      start = end
    }
  }

  #readPiece(token: HtmlToken): void {
    const text = this.#html.slice(token.start, token.end)
    const isBlank = isBlankHtml(text)
    this.#history.add(token, isBlank)
    if (isBlank) {
      const isEmptyLine = this.#isLineEnded && /[&\xa0]/.test(text)
      if (isEmptyLine) this.#readEmptyLine()
      return
    }
    this.#line = { start: this.#line.start < 0 ? token.start : this.#line.start, end: token.end }
    this.#show(token, text)
    this.#emptyLines = 0
    this.#isLineEnded = false
    if (this.#firstText < 0) this.#firstText = token.start
    if (this.#phase === 'quoted') this.#hasQuote = true
  }

  #show({ start, end }: HtmlToken, text: string): void {
    this.#bytes.copy(this.#visible, start, start, end)
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1))
      this.#visible[start + at] = space
  }

  #readComment(token: HtmlToken): void {
    this.#history.add(token, true)
    if (this.#phase === 'own' && isQuoteComment(this.#html.slice(token.start + 4, token.end - 3)))
      this.#begin(token.start)
  }

  #readTag(token: HtmlToken): void {
    const { kind, name } = token
    const begins = kind === 'open' && (unseen.has(name) || isHidden(token))
    if (begins) this.#unseen = { name, start: token.start, depth: 1 }
    if (kind === 'close' && name === 'body') this.#bodyEnd = token.start
    if (name === 'pre') this.#preDepth = Math.max(0, this.#preDepth + (kind === 'open' ? 1 : -1))
    if (blocks.has(name)) this.#endLine('gap')
    else if (lineBlocks.has(name)) this.#endLine('element')
    else if (name === 'br') {
      if (this.#isLineEnded) this.#readEmptyLine()
      else this.#endLine('break')
    }
    if (this.#phase === 'decided') return
    if (name === 'img' && this.#firstText < 0) this.#firstText = token.start
    if (kind === 'open') this.#readOpening(token)
    if (name === 'blockquote') this.#readBlockquote(token)
    this.#skip(token)
    this.#history.add(token, true)
  }

  #readOpening(token: HtmlToken): void {
    if (this.#phase !== 'own') return
    if (marksQuote(token.name, token.attributes)) {
      this.#endLine('break')
      if ((this.#phase as Phase) !== 'own') return
      const isCited = token.attributes.type === 'cite' || token.name === 'blockquote'
      this.#begin(token.start, isCited ? this.#lines.introductionStart() : this.#lines.titleStart())
    } else if (token.name === 'blockquote' || hasLineBeside(token)) {
      this.#endLine('break')
      const introduction = this.#lines.introductionStart()
      if (introduction !== null) this.#begin(introduction)
      else if (token.name === 'blockquote') this.#newBlockquote = { start: token.start, lines: 0 }
    }
  }

  /** A quote begins. What introduces it can begin earlier. */
  #begin(mark: number, introduction: number | null = null): void {
    const place = this.#history.placeBefore(mark)
    this.#place = introduction === null ? place : this.#history.placeBefore(introduction)
    this.#endOwn(Math.max(this.#place, this.#ownStart))
    this.#phase = 'introduction'
  }

  #readBlockquote({ kind, start, end }: HtmlToken): void {
    if (this.#phase === 'own') {
      if (kind === 'close') this.#newBlockquote = { start: -1, lines: 0 }
      return
    }
    // An end of the body before or in a quote is not that of the message.
    this.#bodyEnd = -1
    if (kind === 'open') {
      if (this.#phase === 'after') this.#endOwn(start)
      if (this.#phase !== 'quoted') {
        this.#quoteDepth = 0
        this.#quoteStart = start
      }
      this.#quoteDepth++
      this.#phase = 'quoted'
    } else if (this.#phase === 'quoted' && --this.#quoteDepth === 0) {
      this.#phase = 'after'
      this.#ownStart = end
    }
  }

  /** Signatures and footers below a quote, which the client adds, are nothing that was written there. */
  #skip({ kind, name, attributes }: HtmlToken): void {
    if (this.#skipped.depth > 0) {
      if (name === this.#skipped.name) this.#skipped.depth += kind === 'open' ? 1 : -1
    } else if (this.#phase === 'after' && kind === 'open' && isAddedByClient(attributes))
      this.#skipped = { name, depth: 1 }
  }

  #readEmptyLine(): void {
    this.#emptyLines++
    this.#endLine('gap')
  }

  /** A line ends, if one has begun. */
  #endLine(by: PastLine['end']): void {
    const { start, end } = this.#line
    this.#isLineEnded = true
    if (start >= 0) {
      this.#line = { start: -1, end: -1 }
      this.#judge(start, end)
    }
    this.#lines.end(by)
  }

  #judge(start: number, end: number): void {
    if (this.#phase === 'quoted' || this.#phase === 'decided') return
    const text = this.#textOf(start, end)
    const isBelowMarked = this.#isMarked
    this.#isMarked = text.startsWith('>') && !this.#lines.isEndedBy(text)
    if (this.#isMarked && this.#readMarkedLine(isBelowMarked)) return
    if (this.#phase === 'lines') this.#phase = 'after'
    if (this.#phase === 'after') this.#judgeBelow(text)
    else this.#judgeLine(start, end, text)
  }

  /** A line with `>` behind what introduces a quote. */
  #readMarkedLine(isBelowMarked: boolean): boolean {
    const isFirst = this.#phase === 'own' && !isBelowMarked
    const introduction = isFirst ? this.#lines.introductionStart() : null
    if (introduction !== null) this.#begin(introduction)
    if (this.#phase === 'introduction' && this.#lines.isAttributed()) this.#phase = 'lines'
    if (this.#phase === 'lines') this.#hasQuote = true
    return this.#phase === 'lines'
  }

  #judgeBelow(text: string): void {
    // Everything below two dashes is a signature of the client.
    if (/^[-\s]+$/.test(text)) this.#isBelowDashes = true
    else if (this.#skipped.depth === 0 && !this.#isBelowDashes) this.#isWrittenBelow = true
  }

  #judgeLine(start: number, end: number, text: string): void {
    const folded = () => this.#foldedTextOf(start, end)
    const mark = this.#lines.read({ start, text, folded })
    const blockquote = this.#newBlockquote
    const isInside = blockquote.start >= 0 && ++blockquote.lines <= introductionLines
    if (this.#phase === 'introduction') this.#judgeIntroduction(mark !== null)
    else if (isInside && (mark !== null || (blockquote.lines === 1 && this.#lines.isAttributed())))
      this.#beginInside(blockquote.start)
    else if (mark !== null) this.#beginAtLine(mark)
  }

  /** The first line of a blockquote introduces what it quotes: mail.ru. */
  #beginInside(blockquote: number): void {
    this.#begin(blockquote)
    this.#phase = 'quoted'
    this.#quoteDepth = 1
    this.#hasQuote = true
  }

  #beginAtLine(mark: number): void {
    this.#begin(mark)
    // A header block, which ends nowhere; an attribution can have a blockquote behind it.
    if (!this.#lines.isAttributed()) this.#decide()
    else this.#introductionLines = 1
  }

  /** Text between the mark and the first blockquote. More than an attribution means that no blockquote holds the quote. */
  #judgeIntroduction(isProven: boolean): void {
    this.#hasQuote = true
    const isAttribution = this.#lines.isAttributed()
    if ((isProven && !isAttribution) || ++this.#introductionLines > 3 || this.#lines.hasLabelOrTitle())
      this.#decide()
    else if (this.#introductionLines > 1 && !isAttribution) this.#decide()
  }

  #decide(): void {
    this.#hasQuote = true
    this.#phase = 'decided'
  }

  #textOf(start: number, end: number): string {
    if (end - start > longestLineMarkup) return ''
    const html = this.#html.slice(start, end)
    // Titles, rules, labels and the last lines of attributions have at least one of these.
    return /[:\-_=*&>\x80-\xff]|this line/i.test(html) ? textOfHtml(this.#decode(start, end)) : ''
  }

  #foldedTextOf(start: number, end: number): string {
    return end - start > longestLineMarkup ? '' : textOfHtml(this.#decode(start, end))
  }
}

/** Finds the place of the signature in an HTML body. `decode` gives the text of a range of its bytes. */
export const findHtmlPlace = (
  bytes: Buffer,
  html: string,
  decode: (start: number, end: number) => string,
  reading: QuoteReading,
): Promise<BodyPlace> => new HtmlPlaceSearch(bytes, html, decode, reading).search()
