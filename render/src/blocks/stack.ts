import { type Static, type TProperties, Type } from 'typebox'
import { hex } from '../colors.ts'
import { aligns, blockSchema, blocksOf, directions, OneOf, verticalAligns } from '../fields.ts'
import { columnRows, innerWidth, rowCells, wrapInCell, wrapInTable } from '../layout.ts'
import { isDrawn } from '../piece.ts'
import { boxOf, hasEdges, noEdges } from '../style.ts'
import type { Piece, PieceScope } from '../types.ts'

const ownFields = {
  direction: Type.Optional(OneOf(directions)),
  align: Type.Optional(OneOf(aligns)),
  verticalAlign: Type.Optional(OneOf(verticalAligns)),
  wrap: Type.Optional(Type.Boolean()),
}
const Fields = blockSchema('stack', ownFields)
/**
 * The registry in index.ts decides what a child is: a stack that named the other blocks would import them in a circle.
 */
export interface StackOf<Child> extends Static<typeof Fields> {
  readonly children?: readonly Child[]
}
export const stackSchema = <Child>(types: readonly string[], moreFields: TProperties = {}) =>
  blockSchema('stack', { ...ownFields, ...moreFields, children: Type.Optional(blocksOf<Child>(types)) })

/** Compiles a child of any type; null when it is not visible. */
export type CompileChild<Child> = (child: Child, scope: PieceScope) => Piece | null

/** The children as table rows without the table: the root adds a row of its own (the pixel). */
export function compileRows<Child>(
  stack: StackOf<Child>,
  scope: PieceScope,
  compileChild: CompileChild<Child>,
) {
  const { direction = 'column', blockStyle = {}, verticalAlign: valign = 'top' } = stack
  const align = stack.align ?? blockStyle.align ?? scope.align
  const background = hex(blockStyle.backgroundColor) ?? scope.background
  const inside: PieceScope = { ...scope, align, background, direction }
  const pieces = (stack.children ?? []).map(child => compileChild(child, inside)).filter(isDrawn)
  const layout = { pieces, gap: blockStyle.gap ?? 0, align }
  return { align, rows: direction === 'row' ? rowCells({ ...layout, valign }) : columnRows(layout) }
}

export function compileStack<Child>(
  stack: StackOf<Child>,
  scope: PieceScope,
  compileChild: CompileChild<Child>,
): Piece {
  const { align, rows } = compileRows(stack, scope, compileChild)
  const { width } = stack.blockStyle ?? {}
  const box = boxOf(stack.blockStyle, { align, width: undefined })
  if (width === undefined || (!box.background && !hasEdges(box.padding)))
    return { bind: wrapInTable(rows, width), box }
  // The width includes the padding, and the background ends where the width ends: both belong inside the sized table.
  const { padding, background } = box
  const bind = wrapInCell(wrapInTable(rows, innerWidth(width, padding)), { padding, background }, width)
  return { bind, box: { ...box, padding: noEdges, background: undefined } }
}
