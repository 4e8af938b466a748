import { type CheckRule, findingFor } from '../problems.ts'
import type { CheckedBlock, PlacedBlock } from '../tree.ts'

/** Width that a phone of 375 px leaves for a signature. */
const phoneWidth = 340
const defaultIconSize = 24
const defaultSocialGap = 8

const visibleChildren = ({ children = [] }: CheckedBlock): readonly CheckedBlock[] =>
  children.filter(child => child.visible !== false)

function sidesOf({ blockStyle = {} }: CheckedBlock): number {
  const { marginLeft = 0, marginRight = 0, paddingLeft = 0, paddingRight = 0 } = blockStyle
  return marginLeft + marginRight + paddingLeft + paddingRight
}

const sideBySide = (widths: readonly number[], gap: number): number =>
  widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1)

/** The width below which the block cannot become. Text can break into lines, so only fixed widths count. */
function leastWidth(block: CheckedBlock): number {
  const { type, blockStyle = {}, width = 0, iconSize, size } = block
  if (blockStyle.width !== undefined) return blockStyle.width
  if (type === 'image') return width + sidesOf(block)
  if (type === 'icon') return (size ?? defaultIconSize) + sidesOf(block)
  const children = visibleChildren(block)
  if (type === 'socialList') {
    const icons = children.map(() => iconSize ?? defaultIconSize)
    return sideBySide(icons, blockStyle.gap ?? defaultSocialGap) + sidesOf(block)
  }
  if (type !== 'stack') return 0
  const widths = children.map(leastWidth)
  const inner = isRow(block) ? sideBySide(widths, blockStyle.gap ?? 0) : Math.max(0, ...widths)
  return inner + sidesOf(block)
}

const isRow = ({ type, direction, wrap, ...block }: CheckedBlock): boolean =>
  type === 'stack' && direction === 'row' && wrap !== true && visibleChildren({ type, ...block }).length > 1

/** A picture alone shrinks with the mail, and so does a column of such blocks. The width of the root is a maximum. */
const keepsWidth = ({ block, parent }: PlacedBlock): boolean =>
  isRow(block) ||
  block.type === 'socialList' ||
  (parent !== null && block.type !== 'image' && block.blockStyle?.width !== undefined)

/** Names the innermost blocks: those around them are too wide because of them. */
function widestBlocks(blocks: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const causes: PlacedBlock[] = []
  const hasCauseInside = new Set<PlacedBlock>()
  // Backwards: a block comes after the blocks inside it.
  for (const place of blocks.toReversed()) {
    const { block, parent } = place
    const own = parent === null ? { ...block, blockStyle: { ...block.blockStyle, width: undefined } } : block
    const isCause = !hasCauseInside.has(place) && keepsWidth(place) && leastWidth(own) > phoneWidth
    if (isCause) causes.push(place)
    if (parent && (isCause || hasCauseInside.has(place))) hasCauseInside.add(parent)
  }
  return causes.reverse()
}

export const notMobile: CheckRule = ({ blocks }) =>
  findingFor(
    {
      code: 'not_mobile',
      message: `Wider than the ${phoneWidth} px of a phone: set \`wrap\` on the row, or make its columns narrower.`,
    },
    widestBlocks(blocks),
  )
