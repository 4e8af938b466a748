// Dropping blocks: at a place, or beside a block or the whole signature, which makes a row of both.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { moveBlocks } from './operations.ts'
import { insertNewBlocks, type Position, settingsOfRow } from './position.ts'
import { blockOf, changeChildren, findBlock, parentOf } from './tree.ts'

export interface DroppedBlocks {
  readonly blocks: readonly AnyBlock[]
  /** Those of the blocks that are in the tree already; the others are new. */
  readonly movedIds: readonly string[]
}

export interface DropSpot {
  readonly position: Position
  /** `id` of the root: beside all blocks. */
  readonly beside?: { readonly id: string; readonly side: 'start' | 'end' }
  /** The part of the page that shows the spot, and where its line is there. */
  readonly zone: 'canvas' | 'outline'
  readonly line: {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
}

export function dropBlocks(
  root: Content,
  { blocks, movedIds }: DroppedBlocks,
  { position, beside }: DropSpot,
): Content {
  if (!beside)
    return movedIds.length > 0
      ? moveBlocks(root, movedIds, position)
      : insertNewBlocks(root, position, blocks)
  const wrapped = beside.id === idOf(root) ? allInRow(root, movedIds) : inRow(root, beside.id)
  const index = beside.side === 'start' ? 0 : 1
  const spot = { parentId: wrapped.rowId, index }
  return movedIds.length > 0
    ? moveBlocks(wrapped.root, movedIds, spot)
    : insertNewBlocks(wrapped.root, spot, blocks)
}

function inRow(root: Content, id: string): { readonly root: Content; readonly rowId: string } {
  const match = findBlock(root, id)
  const parent = match && parentOf(match)
  const block = blockOf(root, id)
  const rowId = newId()
  if (!parent || !block) return { root, rowId }
  const row = { type: 'stack', id: rowId, direction: 'row', ...settingsOfRow([block]) } as AnyBlock
  return {
    root: changeChildren(root, idOf(parent), children =>
      children.map(child => (child === block ? row : child)),
    ),
    rowId,
  }
}

/** The neighbours of a block that goes beside everything: the banner of a campaign stays below, in its full width. */
export function blocksToStandBeside(root: Content): readonly AnyBlock[] {
  const children = childrenOf(root)
  const last = children.findLastIndex(({ type }) => type !== 'marketing')
  return children.slice(0, last + 1)
}

/** The column of all blocks has the gap of the root, so that they look as before. */
function allInRow(
  root: Content,
  movedIds: readonly string[],
): { readonly root: Content; readonly rowId: string } {
  const rowId = newId()
  const blocks = blocksToStandBeside(root)
  if (root.direction === 'row' || blocks.every(block => movedIds.includes(idOf(block))))
    return { root, rowId }
  const gap = root.blockStyle?.gap
  const column = {
    type: 'stack',
    id: newId(),
    direction: 'column',
    ...(gap !== undefined && { blockStyle: { gap } }),
    children: blocks,
  } as AnyBlock
  const row = { type: 'stack', id: rowId, direction: 'row', ...settingsOfRow([column]) } as AnyBlock
  return {
    root: changeChildren(root, idOf(root), children => [row, ...children.slice(blocks.length)]),
    rowId,
  }
}
