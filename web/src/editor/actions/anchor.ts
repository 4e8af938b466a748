// Where a menu opens that was asked for by a key: beside the selected block on the canvas or its row in the outline.
import type { Rectangle } from '../text/floating.ts'

/** The canvas draws this element around the selected block. */
export const selectionMark = 'data-selected-block'

export function selectionAnchor(): Rectangle {
  const focused = document.activeElement
  const row = focused?.closest('[role=treeitem]')
  const marked = document.querySelector(`[${selectionMark}]`)
  const element =
    row ?? (marked?.checkVisibility() ? marked : undefined) ?? document.querySelector('[data-canvas]')
  const { left, right, top, bottom } = (element ?? document.body).getBoundingClientRect()
  const isBelowWindow = bottom > innerHeight
  return { left, right, top, bottom: isBelowWindow ? Math.min(top + 24, innerHeight) : bottom }
}
