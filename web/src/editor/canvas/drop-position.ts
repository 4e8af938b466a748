// Where blocks would go when they are dropped at a point of the canvas.
import type { Content } from '@signoff/render'
import { type AnyBlock, type ContentKind, childrenOf, idOf } from '#records/content/block.ts'
import { blocksToStandBeside, type DroppedBlocks, type DropSpot } from '../model/drop.ts'
import { canContain } from '../model/rules.ts'
import { type Box, type Boxes, heightOf, isInside, widthOf } from './boxes.ts'

type Drop = Omit<DropSpot, 'zone'>

export interface DropTarget {
  readonly tree: Content
  readonly boxes: Boxes
  readonly canvas: Box
  readonly kind: ContentKind
}

const lineWidth = 2
/** The outer part of a block that means “beside it”: this part of its width, but not more pixels than these. */
const side = { part: 0.15, most: 18 }
/** The upper and the lower part of a block that mean “above” and “below”, also at its sides. */
const edge = { part: 0.3, most: 12 }

export function dropAt(target: DropTarget, dragged: DroppedBlocks, x: number, y: number): Drop | undefined {
  const besideAll = dropBesideAll(target, dragged, x, y)
  if (besideAll) return besideAll
  const chain = chainAt(target, dragged.movedIds, x, y)
  const beside = dropBeside(target, dragged, chain, x, y)
  if (beside) return beside
  const container = chain.findLast(block => canContain(block, dragged.blocks, target.kind))
  return container && dropInside(target, columnAt(target, dragged, container, x) ?? container, x, y)
}

/** The empty space above and below a column that is lower than the row around it belongs to the column. */
const columnAt = (
  { boxes, kind }: DropTarget,
  { blocks, movedIds }: DroppedBlocks,
  container: AnyBlock,
  x: number,
): AnyBlock | undefined =>
  isRow(container)
    ? childrenOf(container).find(child => {
        const box = boxes.get(idOf(child))
        const isColumn = child.type === 'stack' && !isRow(child) && !movedIds.includes(idOf(child))
        return isColumn && box && x > box.left && x < box.right && canContain(child, blocks, kind)
      })
    : undefined

/** The blocks at a point, from the root to the innermost. Dragged blocks are passed over. */
export function chainAt(
  { tree, boxes }: Pick<DropTarget, 'tree' | 'boxes'>,
  movedIds: readonly string[],
  x: number,
  y: number,
): AnyBlock[] {
  const chain: AnyBlock[] = [tree]
  for (let block: AnyBlock | undefined = tree; block; ) {
    const next: AnyBlock | undefined = childrenOf(block).find(child => {
      const box = boxes.get(idOf(child))
      return box && !movedIds.includes(idOf(child)) && isInside(box, x, y)
    })
    if (next) chain.push(next)
    block = next
  }
  return chain
}

const partOf = (length: number, { part, most }: typeof side): number => Math.min(length * part, most)

/** In a column, the left and the right edge of a block stand for a row of it and the dragged blocks. */
function dropBeside(
  { boxes, kind }: DropTarget,
  { blocks }: DroppedBlocks,
  chain: readonly AnyBlock[],
  x: number,
  y: number,
): Drop | undefined {
  const index = chain.findLastIndex((block, n) => chain[n - 1]?.type === 'stack' && block.type !== 'stack')
  const [parent, block] = [chain[index - 1], chain[index]]
  const box = block && boxes.get(idOf(block))
  if (parent?.type !== 'stack' || !block || !box || parent.direction === 'row') return undefined
  if (!canContain(parent, blocks, kind) || widthOf(box) < 40 || !isInside(box, x, y)) return undefined
  const [sideWidth, edgeHeight] = [partOf(widthOf(box), side), partOf(heightOf(box), edge)]
  if (y < box.top + edgeHeight || y > box.bottom - edgeHeight) return undefined
  if (x > box.left + sideWidth && x < box.right - sideWidth) return undefined
  const isStart = x <= box.left + sideWidth
  const at = isStart ? box.left : box.right
  return {
    position: { parentId: idOf(parent), index: childrenOf(parent).indexOf(block) },
    beside: { id: idOf(block), side: isStart ? 'start' : 'end' },
    line: { left: at - lineWidth / 2, right: at + lineWidth / 2, top: box.top, bottom: box.bottom },
  }
}

/** The line of a drop beside everything stands this far from the blocks. */
const besideAllDistance = 6

/** The margin of the canvas, beside its blocks, stands for a row of all of them and the dragged blocks. */
function dropBesideAll(
  { tree, boxes, canvas, kind }: DropTarget,
  { blocks, movedIds }: DroppedBlocks,
  x: number,
  y: number,
): Drop | undefined {
  if ((x >= canvas.left && x <= canvas.right) || isRow(tree) || !canContain(tree, blocks, kind))
    return undefined
  const all = blocksToStandBeside(tree).filter(block => !movedIds.includes(idOf(block)))
  const drawn = all.flatMap(block => boxes.get(idOf(block)) ?? [])
  const box = {
    left: Math.min(...drawn.map(({ left }) => left)),
    right: Math.max(...drawn.map(({ right }) => right)),
    top: Math.min(...drawn.map(({ top }) => top)),
    bottom: Math.max(...drawn.map(({ bottom }) => bottom)),
  }
  if (drawn.length === 0 || y < box.top || y > box.bottom) return undefined
  const isStart = x < canvas.left
  const at = isStart ? box.left - besideAllDistance : box.right + besideAllDistance
  const line = { left: at - lineWidth / 2, right: at + lineWidth / 2, top: box.top, bottom: box.bottom }
  const [only] = all
  // One row with everything in it takes the blocks itself.
  if (only && all.length === 1 && only.type === 'stack' && isRow(only))
    return { position: { parentId: idOf(only), index: isStart ? 0 : childrenOf(only).length }, line }
  return {
    position: { parentId: idOf(tree), index: 0 },
    beside: { id: idOf(tree), side: isStart ? 'start' : 'end' },
    line,
  }
}

export const isRow = (block: AnyBlock): boolean =>
  block.type === 'socialList' || ('direction' in block && block.direction === 'row')

export function dropInside(
  { tree, boxes, canvas }: Omit<DropTarget, 'kind'>,
  container: AnyBlock,
  x: number,
  y: number,
): Drop {
  const parentId = idOf(container)
  const isSideways = isRow(container)
  const box = boxes.get(parentId) ?? canvas
  const drawn = childrenOf(container).flatMap((child, index) => {
    const position = boxes.get(idOf(child))
    return position ? [{ index, box: position }] : []
  })
  const after = drawn.findIndex(({ box: child }) =>
    isSideways ? x < child.left + widthOf(child) / 2 : y < child.top + heightOf(child) / 2,
  )
  const [before, next] = [
    drawn[after === -1 ? drawn.length - 1 : after - 1],
    after === -1 ? undefined : drawn[after],
  ]
  const index =
    next?.index ?? (container === tree || !before ? childrenOf(container).length : before.index + 1)
  const at = (start: 'left' | 'top', end: 'right' | 'bottom'): number =>
    before && next
      ? (before.box[end] + next.box[start]) / 2
      : (before?.box[end] ?? next?.box[start] ?? box[start])
  const line = isSideways
    ? { left: at('left', 'right') - 1, right: at('left', 'right') + 1, top: box.top, bottom: box.bottom }
    : { top: at('top', 'bottom') - 1, bottom: at('top', 'bottom') + 1, left: box.left, right: box.right }
  return { position: { parentId, index }, line }
}
