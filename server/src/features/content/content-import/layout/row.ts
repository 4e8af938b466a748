// Blocks that stand beside each other.
import type { BorderLine } from '../html/computed-style.ts'
import { dividerDraft } from './box.ts'
import { addMargin, addPadding, type Draft, estimateSize, stackOf } from './draft.ts'
import type { GridCell } from './grid.ts'
import { joinSocialLists } from './social.ts'

/** Blocks beside each other, with lines and space between them. */
export class Row {
  readonly #drafts: Draft[] = []
  /** Cells with a background. */
  readonly #filled = new Set<Draft>()
  #space = 0

  add(draft: Draft, isFilled = false): void {
    if (isFilled) this.#filled.add(draft)
    if (this.#space > 0) addMargin(draft, [0, 0, 0, this.#space])
    this.#space = 0
    this.#drafts.push(draft)
  }

  line(line: BorderLine): void {
    this.add(dividerDraft(line, 'vertical'))
  }

  space(pixels: number): void {
    const last = this.#drafts.at(-1)
    if (last && last.type !== 'divider') addMargin(last, [0, pixels, 0, 0])
    else this.#space += pixels
  }

  finish(verticalAlign: 'top' | 'middle' | 'bottom', isWrapping: boolean): Draft | null {
    const drafts = joinSocialLists(this.#drafts)
    const [only] = drafts
    if (only === undefined) return null
    if (drafts.length === 1 && only.type !== 'divider') return only
    this.#fillHeights(verticalAlign)
    return stackOf(drafts, { direction: 'row', verticalAlign, ...(isWrapping && { wrap: true }) })
  }

  /** Backgrounds beside each other are equally high. */
  #fillHeights(verticalAlign: GridCell['verticalAlign']): void {
    const heights = this.#drafts.map(draft => estimateSize(draft).height)
    const highest = Math.max(...heights)
    for (const [at, draft] of this.#drafts.entries()) {
      const free = highest - (heights[at] ?? 0)
      if (!this.#filled.has(draft) || draft.type !== 'stack' || free < 1) continue
      const before = verticalAlign === 'middle' ? free / 2 : verticalAlign === 'bottom' ? free : 0
      addPadding(draft, [before, 0, free - before, 0])
    }
  }
}
