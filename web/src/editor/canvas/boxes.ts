// Where the blocks are on the canvas, in pixels from its upper left corner.
import type { MarkedBlock, MarkedBlocks } from '../rendering/marks.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Blocks are measured when they are asked for: on most changes, only the selected one is. */
export interface Boxes {
  get(id: string): Box | undefined
  /** The part inside the padding. */
  insideOf(id: string): Box | undefined
  /** The picture of an image, an icon or a QR code. */
  pictureOf(id: string): Box | undefined
  /** True if the block is drawn from right to left: then its left and right space have changed places. */
  isMirrored(id: string): boolean
}

const none = () => undefined
export const noBoxes: Boxes = { get: none, insideOf: none, pictureOf: none, isMirrored: () => false }

export const widthOf = ({ left, right }: Box): number => right - left
export const heightOf = ({ top, bottom }: Box): number => bottom - top

export const isInside = ({ left, top, right, bottom }: Box, x: number, y: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom

/** Text is measured by its cell, which is as wide as the column: the letters alone would be hard to hit. */
function cellOf({ start, end }: MarkedBlock): HTMLTableCellElement | undefined {
  const cell = start.parentElement
  const isAlone = cell instanceof HTMLTableCellElement && !start.previousSibling && !end.nextSibling
  return isAlone ? cell : undefined
}

function rectangleOf(block: MarkedBlock): Box {
  const cell = cellOf(block)
  if (cell) return cell.getBoundingClientRect()
  const range = document.createRange()
  range.setStartAfter(block.start)
  range.setEndBefore(block.end)
  return range.getBoundingClientRect()
}

/** Padding, margin and the gap before a block are all the padding of its cell; its own padding is the inner part. */
function insideRectangleOf(block: MarkedBlock): Box {
  const { left, top, right, bottom } = rectangleOf(block)
  const cell = cellOf(block)
  const style = cell && getComputedStyle(cell)
  const space = (edge: string): number =>
    Number.parseFloat(style?.getPropertyValue(`padding-${edge}`) ?? '') || 0
  return {
    left: left + space('left'),
    top: top + space('top'),
    right: right - space('right'),
    bottom: bottom - space('bottom'),
  }
}

function pictureIn({ start, end }: MarkedBlock): Element | undefined {
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
    const picture = node instanceof Element && (node.matches('img') ? node : node.querySelector('img'))
    if (picture) return picture
  }
  return undefined
}

/** Valid until the next drawing or change of size. */
export function boxesOf({ blocks }: MarkedBlocks, canvas: Element): Boxes {
  const cache = new Map<string, Box | undefined>()
  const measured = (id: string, rectangle: (block: MarkedBlock) => Box | undefined): Box | undefined => {
    const block = blocks.get(id)
    const measuredBox = block && rectangle(block)
    if (!measuredBox) return undefined
    // Each time, because the page can have scrolled.
    const { left: x, top: y } = canvas.getBoundingClientRect()
    const { left, top, right, bottom } = measuredBox
    return { left: left - x, top: top - y, right: right - x, bottom: bottom - y }
  }
  return {
    get(id) {
      if (!cache.has(id)) cache.set(id, measured(id, rectangleOf))
      return cache.get(id)
    },
    insideOf: id => measured(id, insideRectangleOf),
    pictureOf: id => measured(id, block => pictureIn(block)?.getBoundingClientRect()),
    isMirrored(id) {
      const parent = blocks.get(id)?.start.parentElement
      return parent ? getComputedStyle(parent).direction === 'rtl' : false
    },
  }
}
