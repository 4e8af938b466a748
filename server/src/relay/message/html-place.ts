import { addOwnRange, type BodyPlace, type BodyRange } from './body-place.ts'
import { HtmlHistory, isBlankHtml } from './html-history.ts'
import { type HtmlToken, readHtml, textOfHtml } from './html-tokens.ts'
import { QuoteLineReader } from './quote-lines.ts'
import { isAddedByClient, isQuoteComment, marksQuote } from './quote-marks.ts'

const blocks = new Set(
  'address article blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr html li ol p pre section table tbody tr ul br'.split(
    ' ',
  ),
)
/** Nothing in them is shown: the signature cannot be in them either. */
const unseen = new Set(['script', 'style', 'title', 'textarea', 'xmp'])

const space = 32

/** Markup between the letters of one line: Word writes several hundred bytes around each word. */
const longestLineMarkup = 3_000

/** own: what was written. introduction: the lines that begin a quote. after: below a quote that has ended. */
type Phase = 'own' | 'introduction' | 'quoted' | 'after' | 'decided'

/** Reads HTML once, from the top, and decides where the signature goes. `html` is the bytes as Latin-1. */
class HtmlPlaceSearch {
  readonly #bytes: Buffer
  readonly #shown: Buffer
  readonly #html: string
  readonly #decode: (start: number, end: number) => string
  readonly #history = new HtmlHistory()
  readonly #lines = new QuoteLineReader()
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
  #quoteDepth = 0
  #quoteStart = -1
  #introductionLines = 0
  /** A blockquote without an introduction above it, until its first line is read: that can be the introduction. */
  #newBlockquote = -1
  #unseen = { name: '', start: -1 }
  #skipped = { name: '', depth: 0 }
  #bodyEnd = -1
  #end = 0

  constructor(bytes: Buffer, html: string, decode: (start: number, end: number) => string) {
    this.#bytes = bytes
    this.#shown = Buffer.alloc(bytes.length, space)
    this.#html = html
    this.#decode = decode
  }

  search(): BodyPlace {
    readHtml(this.#html, token => this.#read(token))
    if (this.#phase !== 'decided') this.#endLine(true)
    if (this.#phase === 'own' || this.#phase === 'after') this.#endOwn(this.#html.length)
    // Also above a mark with nothing behind it: there, a second pass would take the signature for the quote.
    const isAbove = this.#place >= 0 && !this.#isWrittenBelow
    if (!this.#hasQuote) this.#endOwn(this.#html.length)
    const place = isAbove ? this.#place : this.#lastPlace()
    const hasTextAbove = this.#firstText >= 0 && this.#firstText < place
    const hasGap = !isAbove && this.#emptyLines > 0
    const before = hasTextAbove && !hasGap ? '<br>' : ''
    return { place, hasQuote: this.#hasQuote, before, after: '', own: this.#own, shown: this.#shown }
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
    if (this.#unseen.start >= 0 && !(token.kind === 'close' && token.name === this.#unseen.name)) return true
    this.#unseen = { name: '', start: -1 }
    this.#end = token.end
    if (token.kind === 'text') this.#readText(token)
    else if (token.kind === 'comment') this.#readComment(token)
    else this.#readTag(token)
    return this.#phase !== 'decided'
  }

  #readText(token: HtmlToken): void {
    const text = this.#html.slice(token.start, token.end)
    const isBlank = isBlankHtml(text)
    this.#history.add(token, isBlank)
    if (isBlank) {
      const isEmptyLine = this.#isLineEnded && /[&\xa0]/.test(text)
      if (isEmptyLine) this.#emptyLines++
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
    this.#bytes.copy(this.#shown, start, start, end)
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) this.#shown[start + at] = space
  }

  #readComment(token: HtmlToken): void {
    this.#history.add(token, true)
    if (this.#phase === 'own' && isQuoteComment(this.#html.slice(token.start + 4, token.end - 3)))
      this.#begin(token.start)
  }

  #readTag(token: HtmlToken): void {
    const { kind, name } = token
    if (kind === 'open' && unseen.has(name)) this.#unseen = { name, start: token.start }
    if (kind === 'close' && name === 'body') this.#bodyEnd = token.start
    if (blocks.has(name)) {
      if (name === 'br' && this.#isLineEnded) this.#emptyLines++
      this.#endLine(name !== 'br')
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
      this.#endLine(false)
      if ((this.#phase as Phase) !== 'own') return
      const isCited = token.attributes.type === 'cite' || token.name === 'blockquote'
      this.#begin(token.start, isCited ? this.#lines.introductionStart() : this.#lines.titleStart())
    } else if (token.name === 'blockquote') {
      const introduction = this.#lines.introductionStart()
      if (introduction === null) this.#newBlockquote = token.start
      else this.#begin(introduction)
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
    if (this.#phase === 'own') return
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

  /** A line ends. `endsParagraph` is false for a line break within one. */
  #endLine(endsParagraph: boolean): void {
    const { start, end } = this.#line
    this.#isLineEnded = true
    if (start >= 0) {
      this.#line = { start: -1, end: -1 }
      this.#judge(start, end)
    }
    if (endsParagraph) this.#lines.gap()
  }

  #judge(start: number, end: number): void {
    if (this.#phase === 'quoted' || this.#phase === 'decided') return
    const text = this.#textOf(start, end)
    if (this.#phase === 'after') {
      // Everything below two dashes is a signature of the client.
      if (/^[-\s]+$/.test(text)) this.#isBelowDashes = true
      else if (this.#skipped.depth === 0 && !this.#isBelowDashes) this.#isWrittenBelow = true
      return
    }
    const mark = this.#lines.read({ start, text })
    const blockquote = this.#newBlockquote
    this.#newBlockquote = -1
    if (this.#phase === 'introduction') this.#judgeIntroduction(mark !== null)
    else if (blockquote >= 0 && this.#lines.isAttributed()) this.#beginInside(blockquote)
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
    // Titles, rules, labels and attributions have at least one of these.
    return /[:\-_=*&\x80-\xff]/.test(html) ? textOfHtml(this.#decode(start, end)) : ''
  }
}

/** Where the signature goes in an HTML body. `decode` gives the text of a range of its bytes. */
export const findHtmlPlace = (
  bytes: Buffer,
  html: string,
  decode: (start: number, end: number) => string,
): BodyPlace => new HtmlPlaceSearch(bytes, html, decode).search()
