// Columns, rows and lines between them. Parts that the brand leaves empty are skipped.
import type { Block, Content } from '@signoff/render'
import type { Kit, MaybeBlock } from '../design.ts'

type Stack = Extract<Block, { type: 'stack' }>
type Divider = Extract<Block, { type: 'divider' }>

const present = (blocks: readonly MaybeBlock[]): readonly Block[] => blocks.filter(block => block !== null)

export const column = (
  gap: number,
  children: readonly MaybeBlock[],
  { blockStyle, ...more }: Omit<Partial<Stack>, 'type' | 'children' | 'direction'> = {},
): Stack => ({
  type: 'stack',
  direction: 'column',
  ...more,
  blockStyle: { gap, ...blockStyle },
  children: present(children),
})

/** The columns come to stand below each other where the mail is narrower than they are, unless `wrap` is false. */
export const row = (
  gap: number,
  children: readonly MaybeBlock[],
  { blockStyle, ...more }: Omit<Partial<Stack>, 'type' | 'children' | 'direction'> = {},
): Stack => ({
  type: 'stack',
  direction: 'row',
  verticalAlign: 'top',
  ...more,
  blockStyle: { gap, ...blockStyle },
  children: present(children),
})

/** The root. */
export const signature = (
  gap: number,
  children: readonly MaybeBlock[],
  more: Omit<Partial<Stack>, 'type' | 'children' | 'direction'> = {},
): Content => column(gap, children, { displayName: 'Signature', ...more })

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

/** A vertical line between columns. */
export const bar = (kit: Kit, thickness = 2): Divider =>
  rule(kit, { displayName: 'Accent', color: kit.palette.fill, thickness, direction: 'vertical' })
