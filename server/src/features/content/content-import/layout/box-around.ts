// The box of an element around everything that it contains, with its margins.

import type { ComputedBox, ComputedStyle } from '../html/computed-style.ts'
import type { HtmlElement } from '../html/parse.ts'
import { boxed, dividerDraft, maxLineThickness } from './box.ts'
import { addMargin, asOneDraft } from './draft.ts'
import type { FlowResult } from './flow.ts'

/** About the width of a bullet and the space after it. */
const bulletWidth = 14

/** Adds the box of an element. Margins of the content collapse with its own where nothing is between them. */
export function boxAround(inner: FlowResult, { box }: ComputedStyle): FlowResult {
  const [top, right, bottom, left] = box.margin
  if (inner.drafts.length === 0) return emptyBox(inner, box)
  const hasEdge = (side: 0 | 2) =>
    box.padding[side] > 0 || box.border[side] !== null || box.background !== undefined
  const padding = [
    box.padding[0] + (hasEdge(0) ? inner.top : 0),
    box.padding[1],
    box.padding[2] + (hasEdge(2) ? inner.bottom : 0),
    box.padding[3],
  ] as const
  const drafts = boxed(inner.drafts, box, padding)
  const isIndented = left > 0 || right > 0
  const inside = isIndented ? [asOneDraft(drafts)] : drafts
  if (isIndented) for (const draft of inside) addMargin(draft, [0, right, 0, left])
  return {
    drafts: inside,
    top: outside(top, inner.top, hasEdge(0)),
    bottom: outside(bottom, inner.bottom, hasEdge(2)),
  }
}

const outside = (own: number, inner: number, hasEdge: boolean): number =>
  hasEdge ? own : Math.max(own, inner)

/** An element without content: a line when it is thin and coloured, otherwise space. */
function emptyBox(inner: FlowResult, box: ComputedBox): FlowResult {
  const [top, , bottom] = box.margin
  const height = box.height ?? 0
  const border = box.border[0] ?? box.border[2]
  const line =
    border ??
    (box.background && height > 0 && height <= maxLineThickness
      ? { color: box.background, thickness: Math.round(height) }
      : null)
  if (line) return { drafts: [dividerDraft(line, 'horizontal')], top, bottom }
  const space = Math.max(inner.top, height) + box.padding[0] + box.padding[2]
  return { drafts: [], top: Math.max(top, bottom, space), bottom: 0 }
}

/** Bullets stand in the padding of their list. */
export function besideBullets({ tagName }: HtmlElement, style: ComputedStyle): ComputedStyle {
  if (tagName !== 'ul' && tagName !== 'ol') return style
  const [top, right, bottom, left] = style.box.padding
  const padding = [top, right, bottom, Math.max(0, left - bulletWidth)] as const
  return { ...style, box: { ...style.box, padding } }
}
