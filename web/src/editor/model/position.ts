// Where a block goes: before the child with this index of a parent.
import type { Content } from '@signoff/render'
import { type AnyBlock, type ContentKind, childrenOf, idOf } from '#records/content/block.ts'
import { canContain } from './rules.ts'
import { blockOf, changeChildren, findBlock, findWholeLine, parentOf } from './tree.ts'

export interface Position {
  readonly parentId: string
  readonly index: number
}

/** Before the banner of a campaign, which stays below everything. */
const endOf = (block: AnyBlock): number =>
  childrenOf(block).findLastIndex(({ type }) => type !== 'marketing') + 1

/**
 * The nearest place for these blocks: inside the selected block when it can hold them, else after it or after the first
 * of its ancestors whose parent can hold them. Rows and columns go after a selected one, unless it is empty: a person who
 * adds one row after the other would get them all inside each other.
 */
export function positionFor(
  root: Content,
  selectedId: string | undefined,
  blocks: readonly AnyBlock[],
  kind: ContentKind,
): Position | undefined {
  const match = selectedId === undefined ? undefined : findBlock(root, selectedId)
  if (!match) return canContain(root, blocks, kind) ? { parentId: idOf(root), index: endOf(root) } : undefined
  const isBeside = childrenOf(match.block).length > 0 && blocks.every(({ type }) => type === 'stack')
  if ((!isBeside || match.block === root) && canContain(match.block, blocks, kind))
    return { parentId: idOf(match.block), index: endOf(match.block) }
  const chain = [...match.ancestors, match.block]
  for (let depth = chain.length - 2; depth >= 0; depth--) {
    const [parent, child] = [chain[depth], chain[depth + 1]]
    if (parent && child && canContain(parent, blocks, kind))
      return { parentId: idOf(parent), index: childrenOf(parent).indexOf(child) + 1 }
  }
  return undefined
}

// The places before and after a block, for new blocks.

/** Without a selected block: the start or the end of the signature. An empty container takes new blocks itself. */
export function positionBeside(tree: Content, id: string | undefined, side: 'above' | 'below'): Position {
  const match = id === undefined ? undefined : findWholeLine(tree, id)
  const parent = match && parentOf(match)
  if (match?.block.type === 'stack' && childrenOf(match.block).length === 0)
    return { parentId: idOf(match.block), index: 0 }
  if (!match || !parent)
    return { parentId: idOf(tree), index: side === 'above' ? 0 : childrenOf(tree).length }
  return { parentId: idOf(parent), index: side === 'above' ? match.index : match.index + 1 }
}

// The space around blocks that come to a new place, so that they look right there without further work.

export const rowGap = 16
export const columnGap = 4

interface BlockSpace {
  readonly marginTop?: number | undefined
  readonly marginBottom?: number | undefined
}

const styleOf = (block: AnyBlock): BlockSpace => (block.blockStyle ?? {}) as BlockSpace

function withoutSpace(block: AnyBlock, sides: readonly (keyof BlockSpace)[]): AnyBlock {
  const entries = Object.entries(styleOf(block)).filter(([name]) => !sides.includes(name as keyof BlockSpace))
  if (entries.length === Object.keys(styleOf(block)).length) return block
  const { blockStyle: _, ...rest } = block
  return (entries.length > 0 ? { ...rest, blockStyle: Object.fromEntries(entries) } : rest) as AnyBlock
}

/** The style and the children of a row around blocks: the space above and below is that of the row. */
export function settingsOfRow(blocks: readonly AnyBlock[]) {
  const most = (side: keyof BlockSpace) => Math.max(0, ...blocks.map(block => styleOf(block)[side] ?? 0))
  const [marginTop, marginBottom] = [most('marginTop'), most('marginBottom')]
  return {
    blockStyle: { gap: rowGap, ...(marginTop && { marginTop }), ...(marginBottom && { marginBottom }) },
    children: blocks.map(block => withoutSpace(block, ['marginTop', 'marginBottom'])),
  }
}

/** Below this gap, a new block in a row would touch the words before it. */
const leastRowGap = 8

/** Rows of templates whose blocks have the space themselves have no gap. */
const besideWords = (block: AnyBlock, gap: number): AnyBlock =>
  gap >= leastRowGap || block.type === 'divider'
    ? block
    : ({ ...block, blockStyle: { ...block.blockStyle, marginLeft: rowGap - gap } } as AnyBlock)

/** New blocks keep a distance from the block above them, or before them in a row; at the top they need none. */
export function insertNewBlocks(root: Content, position: Position, blocks: readonly AnyBlock[]): Content {
  const parent = blockOf(root, position.parentId)
  const isRow = parent?.type === 'stack' && parent.direction === 'row'
  const isBelow = parent?.type === 'stack' && !isRow && position.index > 0
  const gap = parent?.type === 'stack' ? (parent.blockStyle?.gap ?? 0) : 0
  const spaced = blocks.map((block, number) => {
    const { marginTop = 0 } = styleOf(block)
    if (isRow && position.index + number > 0) return besideWords(withoutSpace(block, ['marginTop']), gap)
    if (!isBelow || marginTop <= gap) return withoutSpace(block, ['marginTop'])
    return { ...block, blockStyle: { ...block.blockStyle, marginTop: marginTop - gap } } as AnyBlock
  })
  return changeChildren(root, position.parentId, children => children.toSpliced(position.index, 0, ...spaced))
}
