// Collects what stands below each other in one element: lines of text and pictures, blocks, and the space between them.
import type { ComputedText, FourSides } from '../html/computed-style.ts'
import { addMargin, alignDraft, asOneDraft, type Draft, stackOf } from './draft.ts'
import { joinSocialLists } from './social.ts'
import { isBlankText, lineHeightIn, spaceBelowLine, type TextRun, textDraft } from './tokens.ts'

interface AtomRun {
  readonly kind: 'atom'
  readonly draft: Draft
  readonly style: ComputedText
  readonly verticalAlign: 'top' | 'middle' | 'bottom' | undefined
  readonly isBlock: boolean
}

type Run = TextRun | AtomRun

interface Floated {
  readonly draft: Draft
  readonly side: 'left' | 'right'
  /** The number of blocks before it. */
  readonly at: number
}

/** Content of an element. `top` and `bottom` are space outside of the blocks; `top` is all where there are none. */
export interface FlowResult {
  readonly drafts: Draft[]
  readonly top: number
  readonly bottom: number
}

/** About the width of a blank between two pictures. */
const blankWidth = 4

const topMargin = (pixels: number): FourSides<number> => [pixels, 0, 0, 0]

export class Flow {
  /** The style of the element itself: its lines are at least as high. */
  readonly #style: ComputedText
  #drafts: Draft[] = []
  #runs: Run[] = []
  #floats: Floated[] = []
  /** Space that the next block gets: empty lines add up, of two margins the larger one counts. */
  #blank = 0
  #margin = 0
  #top = 0

  constructor(style: ComputedText) {
    this.#style = style
  }

  text(text: string, style: ComputedText, href: string | undefined): void {
    if (style.isPreformatted) this.#preformatted(text, style, href)
    else this.#collapsed(text, style, href)
  }

  #collapsed(text: string, style: ComputedText, href: string | undefined): void {
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ')
    const last = this.#runs.at(-1)
    const isAfterBlank = last === undefined || (last.kind === 'text' && last.text.endsWith(' '))
    const rest = isAfterBlank && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    if (rest !== '') this.#runs.push({ kind: 'text', text: rest, style, href })
  }

  #preformatted(text: string, style: ComputedText, href: string | undefined): void {
    for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) this.lineBreak(style)
      const spaced = line.replaceAll('\t', '    ').replaceAll('  ', '\u00a0 ')
      if (spaced !== '') this.#runs.push({ kind: 'text', text: spaced, style, href })
    }
  }

  /** A picture, a button or a small block that stands in a line. */
  atom(draft: Draft, style: ComputedText, verticalAlign: AtomRun['verticalAlign'], isBlock = false): void {
    this.#runs.push({ kind: 'atom', draft, style, verticalAlign, isBlock })
  }

  float(draft: Draft, side: 'left' | 'right'): void {
    this.endLine()
    this.#floats.push({ draft, side, at: this.#drafts.length })
  }

  lineBreak(style: ComputedText): void {
    if (this.#runs.length === 0) this.#blank += lineHeightIn(style)
    else this.endLine()
  }

  /** Space of its own, such as an empty row. */
  space(pixels: number): void {
    this.endLine()
    this.#blank += pixels
  }

  block({ drafts, top, bottom }: FlowResult): void {
    this.endLine()
    this.#margin = Math.max(this.#margin, top)
    for (const draft of drafts) this.#push(draft)
    if (drafts.length > 0) this.#margin = bottom
  }

  endLine(): void {
    const runs = withoutOuterBlanks(this.#runs)
    const [first] = runs
    const hadText = this.#runs.some(run => run.kind === 'text' && run.text !== ' ')
    const styles = this.#runs.map(run => run.style)
    this.#runs = []
    if (first === undefined) {
      // A line of non-breaking blanks is an empty line.
      if (hadText) this.#blank += Math.max(...styles.map(lineHeightIn))
      return
    }
    const isText = runs.every(run => run.kind === 'text')
    const draft = isText ? textDraft(runs, lineHeightIn(this.#style)) : lineDraft(runs)
    if (first.style.align !== 'left') alignDraft(draft, first.style.align)
    this.#push(draft)
    if (!isText && runs.some(isOnLine)) this.#blank += spaceBelowLine(this.#style)
  }

  #push(draft: Draft): void {
    const pixels = this.#blank + this.#margin
    if (this.#drafts.length === 0 && this.#floats.length === 0) this.#top = pixels
    else addMargin(draft, topMargin(pixels))
    this.#blank = 0
    this.#margin = 0
    this.#drafts.push(draft)
  }

  /** Ends the floating of pictures and columns. */
  clear(): void {
    this.endLine()
    const [first] = this.#floats
    if (first === undefined) return
    const beside = this.#drafts.splice(first.at)
    const left = this.#floats.filter(float => float.side === 'left').map(float => float.draft)
    const right = this.#floats.filter(float => float.side === 'right').map(float => float.draft)
    const middle = beside.length === 0 ? [] : [asOneDraft(beside)]
    this.#floats = []
    const row = [...left, ...middle, ...right.toReversed()]
    this.#drafts.push(
      row.length === 1
        ? (row[0] as Draft)
        : stackOf(joinSocialLists(row), { direction: 'row', verticalAlign: 'top' }),
    )
  }

  finish(): FlowResult {
    this.clear()
    const rest = this.#blank + this.#margin
    return this.#drafts.length === 0
      ? { drafts: [], top: rest, bottom: 0 }
      : { drafts: this.#drafts, top: this.#top, bottom: rest }
  }
}

/** Inline pictures stand on the line of the text. */
const isOnLine = (run: Run): boolean =>
  run.kind === 'atom' && run.draft.type !== 'stack' && run.verticalAlign === undefined && !run.isBlock

const isBlankRun = (run: Run): boolean => run.kind === 'text' && isBlankText(run.text)

/** Trims a line. Blanks inside of it stay. */
function withoutOuterBlanks(runs: readonly Run[]): Run[] {
  const start = runs.findIndex(run => !isBlankRun(run))
  if (start === -1) return []
  const end = runs.findLastIndex(run => !isBlankRun(run))
  return runs.slice(start, end + 1).map((run, at, all) => {
    if (run.kind !== 'text') return run
    const text = at === 0 ? run.text.trimStart() : run.text
    return { ...run, text: at === all.length - 1 ? text.trimEnd() : text }
  })
}

/** A line with pictures: its parts stand beside each other. */
function lineDraft(runs: readonly Run[]): Draft {
  const parts: Draft[] = []
  let texts: TextRun[] = []
  let blanks = 0
  const add = (draft: Draft) => {
    if (blanks > 0 && parts.length > 0) addMargin(draft, [0, 0, 0, Math.min(10, blanks) * blankWidth])
    parts.push(draft)
    blanks = 0
  }
  const endText = () => {
    const all = texts.map(run => run.text).join('')
    const trimmed = withoutOuterBlanks(texts) as TextRun[]
    blanks += all.length - all.trimStart().length
    if (trimmed.length > 0) {
      add(textDraft(trimmed))
      blanks = all.length - all.trimEnd().length
    }
    texts = []
  }
  for (const run of runs) {
    if (run.kind === 'text') texts.push(run)
    else {
      endText()
      add(run.draft)
    }
  }
  endText()
  const joined = joinSocialLists(parts)
  if (joined.length === 1) return joined[0] as Draft
  // Browsers wrap small blocks like words.
  const isWrapping =
    joined.every(part => part.type === 'stack' || part.type === 'image') && parts.some(isColumn)
  return stackOf(joined, {
    direction: 'row',
    verticalAlign: verticalAlignIn(runs),
    ...(isWrapping && { wrap: true }),
  })
}

const isColumn = (draft: Draft): boolean => draft.type === 'stack'

/** Pictures stand on the line of the text, and small blocks at its top, unless they say something else. */
function verticalAlignIn(runs: readonly Run[]): 'top' | 'middle' | 'bottom' {
  const atoms = runs.filter(run => run.kind === 'atom')
  const named = atoms.map(atom => atom.verticalAlign).find(align => align !== undefined)
  return named ?? (atoms.some(atom => atom.draft.type === 'stack') ? 'top' : 'bottom')
}
