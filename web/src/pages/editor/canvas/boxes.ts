// Where the blocks are on the canvas, in pixels from its upper left corner.
import type { MarkedBlock, MarkedBlocks } from './marks.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export type Boxes = ReadonlyMap<string, Box>

export const widthOf = ({ left, right }: Box): number => right - left
export const heightOf = ({ top, bottom }: Box): number => bottom - top

export const isInside = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom

/** Text is measured by its cell, which is as wide as the column: the letters alone would be hard to hit. */
function elementOf({ start, end }: MarkedBlock): Element | undefined {
  const cell = start.parentElement
  const isAlone = cell instanceof HTMLTableCellElement && !start.previousSibling && !end.nextSibling
  return isAlone ? cell : undefined
}

export function measureBoxes({ blocks }: MarkedBlocks, canvas: Element): Boxes {
  const origin = canvas.getBoundingClientRect()
  const boxes = new Map<string, Box>()
  for (const [id, block] of blocks) {
    const range = document.createRange()
    range.setStartAfter(block.start)
    range.setEndBefore(block.end)
    const rect = elementOf(block)?.getBoundingClientRect() ?? range.getBoundingClientRect()
    boxes.set(id, {
      left: rect.left - origin.left,
      top: rect.top - origin.top,
      right: rect.right - origin.left,
      bottom: rect.bottom - origin.top,
    })
  }
  return boxes
}
