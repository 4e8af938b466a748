// The space around blocks that come to a new place, so that they look right there without further work.
import type { Content } from '@signoff/render'
import type { AnyBlock } from '#records/content/block.ts'
import type { Place } from './place.ts'
import { blockOf, changeChildren } from './tree.ts'

export const rowGap = 16
export const columnGap = 4

interface BlockSpace {
  readonly marginTop?: number | undefined
  readonly marginBottom?: number | undefined
}

const styleOf = (block: AnyBlock): BlockSpace => (block.blockStyle ?? {}) as BlockSpace

function withoutSpace(block: AnyBlock, sides: readonly (keyof BlockSpace)[]): AnyBlock {
  const kept = Object.entries(styleOf(block)).filter(([name]) => !sides.includes(name as keyof BlockSpace))
  if (kept.length === Object.keys(styleOf(block)).length) return block
  const { blockStyle: _, ...rest } = block
  return (kept.length > 0 ? { ...rest, blockStyle: Object.fromEntries(kept) } : rest) as AnyBlock
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
export function insertNewBlocks(root: Content, place: Place, blocks: readonly AnyBlock[]): Content {
  const parent = blockOf(root, place.parentId)
  const isRow = parent?.type === 'stack' && parent.direction === 'row'
  const isBelow = parent?.type === 'stack' && !isRow && place.index > 0
  const gap = parent?.type === 'stack' ? (parent.blockStyle?.gap ?? 0) : 0
  const spaced = blocks.map((block, number) => {
    const { marginTop = 0 } = styleOf(block)
    if (isRow && place.index + number > 0) return besideWords(withoutSpace(block, ['marginTop']), gap)
    if (!isBelow || marginTop <= gap) return withoutSpace(block, ['marginTop'])
    return { ...block, blockStyle: { ...block.blockStyle, marginTop: marginTop - gap } } as AnyBlock
  })
  return changeChildren(root, place.parentId, children => children.toSpliced(place.index, 0, ...spaced))
}
