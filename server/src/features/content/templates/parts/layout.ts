// Columns, rows and lines between them. Parts that the brand leaves empty are skipped.
import type { Block, Content } from '@signoff/render'
import type { Kit, MaybeBlock } from '../design.ts'

type Stack = Extract<Block, { type: 'stack' }>
type More = Omit<Partial<Stack>, 'type' | 'children' | 'direction'>
type Divider = Extract<Block, { type: 'divider' }>
type Marketing = Extract<Block, { type: 'marketing' }>

const present = (blocks: readonly MaybeBlock[]): readonly Block[] => blocks.filter(block => block !== null)

/** Blocks below each other. Spaces between them come from `below`: a nested column for each would cost 190 bytes. */
export const column = (children: readonly MaybeBlock[], more: More = {}): Stack => ({
  type: 'stack',
  direction: 'column',
  ...more,
  children: present(children),
})

/** The block with a space above it. */
export const below = <T extends Block>(space: number, block: T | null): T | null =>
  block && { ...block, blockStyle: { ...block.blockStyle, marginTop: space } }

/** The block with more space at its right, which is not needed where the next one comes to stand below it. */
export const spaceAtRight = <T extends Block>(space: number, block: T | null): T | null =>
  block && { ...block, blockStyle: { ...block.blockStyle, paddingRight: space } }

/** Columns that come to stand below each other where the mail is narrower than they are. */
export const row = (
  gap: number,
  children: readonly MaybeBlock[],
  { blockStyle, ...more }: More = {},
): Stack => ({
  type: 'stack',
  direction: 'row',
  verticalAlign: 'top',
  wrap: true,
  ...more,
  blockStyle: { gap, ...blockStyle },
  children: present(children),
})

/** The blocks of a group, with a space above the first that the brand has. */
export function group(space: number, blocks: readonly MaybeBlock[]): readonly MaybeBlock[] {
  const [first = null, ...others] = present(blocks)
  return [below(space, first), ...others]
}

/** For signatures with small print: long lines are hard to read. On a phone the signature becomes narrower. */
export const readingWidth = { blockStyle: { width: 460 } } as const

/** The slot for the banner of the campaign that runs. It takes no room while none does. */
export const banner = (): Marketing => ({ type: 'marketing', displayName: 'Campaign banner' })

/** The root, with a slot for banners below everything unless the design has its own slot. */
export function signature(children: readonly MaybeBlock[], more: More = {}): Content {
  const blocks = present(children)
  const last = blocks.at(-1)
  // A row that wraps has a space below it already.
  const slot = last?.type === 'stack' && last.wrap ? banner() : below(16, banner())
  const hasSlot = blocks.some(({ type }) => type === 'marketing')
  return column(hasSlot ? blocks : [...blocks, slot], { displayName: 'Signature', ...more })
}

export const rule = (kit: Kit, more: Partial<Divider> = {}): Divider => ({
  type: 'divider',
  displayName: 'Line',
  color: kit.palette.line,
  thickness: 1,
  ...more,
})

/** A short, thick line in the primary colour. */
export const accentRule = (kit: Kit, width: number, thickness = 2): Divider =>
  rule(kit, { displayName: 'Accent', color: kit.palette.fill, thickness, blockStyle: { width } })

/**
 * A vertical line in the primary colour at the left of a column. It stays beside the column on a phone. The space is
 * part of the column: a cell of its own would cost 110 bytes.
 */
export const barred = (
  kit: Kit,
  block: Stack,
  { thickness = 2, gap = 16, color = kit.palette.fill } = {},
): Stack =>
  row(
    0,
    [
      rule(kit, { displayName: 'Accent', color, thickness, direction: 'vertical' }),
      { ...block, blockStyle: { ...block.blockStyle, paddingLeft: gap } },
    ],
    { wrap: false },
  )

type Edge = 'paddingTop' | 'paddingRight' | 'paddingBottom' | 'paddingLeft'

export const padding = (vertical: number, horizontal = vertical): Record<Edge, number> => ({
  paddingTop: vertical,
  paddingRight: horizontal,
  paddingBottom: vertical,
  paddingLeft: horizontal,
})
