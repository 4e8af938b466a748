import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import type { Block } from '../content.ts'
import { aligns, blockSchema, blocksOf, directions, OneOf, verticalAligns } from '../fields.ts'
import { boxed, columnRows, rowCells, table, within } from '../layout.ts'
import { isDrawn, type Piece, type PieceScope } from '../piece.ts'
import { boxOf, hasEdges, noEdges } from '../style.ts'

const own = {
  direction: Type.Optional(OneOf(directions)),
  align: Type.Optional(OneOf(aligns)),
  verticalAlign: Type.Optional(OneOf(verticalAligns)),
}
const Fields = blockSchema('stack', own)
export interface Stack extends Static<typeof Fields> {
  readonly children?: readonly Block[]
}
export const stackSchema = (children: readonly string[]) =>
  blockSchema('stack', { ...own, children: Type.Optional(blocksOf<Block>(children)) })

/** The children as rows, for the root, which has a row of its own to add. */
export function compileRows(stack: Stack, scope: PieceScope) {
  const { direction = 'column', blockStyle = {}, verticalAlign: valign = 'top' } = stack
  const align = stack.align ?? blockStyle.align ?? scope.align
  const background = hex(blockStyle.backgroundColor) ?? scope.background
  const inside: PieceScope = { ...scope, align, background, direction }
  const pieces = (stack.children ?? []).map(child => scope.compile(child, inside)).filter(isDrawn)
  const layout = { pieces, gap: blockStyle.gap ?? 0, align }
  return { align, rows: direction === 'row' ? rowCells({ ...layout, valign }) : columnRows(layout) }
}

export function compileStack(stack: Stack, scope: PieceScope): Piece {
  const { align, rows } = compileRows(stack, scope)
  const { width } = stack.blockStyle ?? {}
  const box = boxOf(stack.blockStyle, { align, width: undefined })
  if (width === undefined || (!box.background && !hasEdges(box.padding)))
    return { bind: table(rows, width), box }
  // A width holds the padding and bounds the background, so they are inside of it.
  const { padding, background } = box
  const bind = boxed(table(rows, within(width, padding)), { padding, background }, width)
  return { bind, box: { ...box, padding: noEdges, background: undefined } }
}
