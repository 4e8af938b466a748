// The places on the canvas that offer a `+`: between blocks, beside the selected one, and in empty containers.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import type { Position } from '../model/position.ts'
import { isContainer } from '../model/rules.ts'
import { blocksIn, findWholeLine, parentOf } from '../model/tree.ts'
import type { Box, Boxes } from './boxes.ts'
import { chainAt, dropInside, isRow } from './drop-position.ts'

export interface InsertSpot {
  readonly position: Position
  /** The line between the blocks; undefined in an empty container. */
  readonly line: Box | undefined
  /** The middle of the button. */
  readonly x: number
  readonly y: number
  readonly label: 'here' | 'above' | 'below' | 'inside'
}

export interface SpotArea {
  readonly tree: Content
  readonly boxes: Boxes
  readonly canvas: Box
}

export const spotKey = ({ position }: InsertSpot): string => `${position.parentId} ${position.index}`

/** The button stands before the start of the line, so that it covers no words. */
const outside = 12
/** The largest distance from a line to the pointer. Outer containers win where their lines meet those of inner ones. */
const nearOuter = 4
const nearInner = 7

function onLine(position: Position, line: Box, isSideways: boolean): InsertSpot {
  const middle = isSideways ? (line.left + line.right) / 2 : (line.top + line.bottom) / 2
  return isSideways
    ? { position, line, x: middle, y: line.top - outside, label: 'here' }
    : { position, line, x: line.left - outside, y: middle, label: 'here' }
}

export function spotAt(area: SpotArea, x: number, y: number): InsertSpot | undefined {
  const containers = chainAt(area, [], x, y).filter(isContainer)
  for (const [depth, container] of containers.entries()) {
    if (childrenOf(container).length === 0) continue
    const { position, line } = dropInside(area, container, x, y)
    const isSideways = isRow(container)
    const distance = Math.abs(
      isSideways ? (line.left + line.right) / 2 - x : (line.top + line.bottom) / 2 - y,
    )
    if (distance <= (depth === containers.length - 1 ? nearInner : nearOuter))
      return onLine(position, line, isSideways)
  }
  return undefined
}

/** Before and after the selected block. Its lines are not drawn, as its outline is. */
export function spotsBeside({ tree, boxes }: SpotArea, id: string): readonly InsertSpot[] {
  const match = findWholeLine(tree, id)
  const parent = match && parentOf(match)
  const box = match && boxes.get(idOf(match.block))
  if (!match || !parent || !box) return []
  const parentId = idOf(parent)
  const [before, after] = [
    { position: { parentId, index: match.index }, line: undefined, label: 'above' as const },
    { position: { parentId, index: match.index + 1 }, line: undefined, label: 'below' as const },
  ]
  // A block can be lower than two buttons.
  const apart = Math.max(0, 26 - (isRow(parent) ? box.right - box.left : box.bottom - box.top)) / 2
  return isRow(parent)
    ? [
        { ...before, x: box.left - apart, y: box.top - outside },
        { ...after, x: box.right + apart, y: box.top - outside },
      ]
    : [
        { ...before, x: box.left - outside, y: box.top - apart },
        { ...after, x: box.left - outside, y: box.bottom + apart },
      ]
}

const isEmptyStack = (block: AnyBlock): boolean => block.type === 'stack' && childrenOf(block).length === 0

/** At the end of what is written there: “Drop blocks here”. */
export const emptySpots = ({ tree, boxes, canvas }: SpotArea): readonly InsertSpot[] =>
  [...blocksIn(tree)].filter(isEmptyStack).flatMap(block => {
    const box = boxes.get(idOf(block)) ?? (block === tree ? canvas : undefined)
    const position = { parentId: idOf(block), index: 0 }
    if (!box) return []
    return [
      { position, line: undefined, x: box.left - outside, y: (box.top + box.bottom) / 2, label: 'inside' },
    ]
  })
