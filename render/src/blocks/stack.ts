import { type Static, type TProperties, Type } from 'typebox'
import { aligns, blockSchema, blocksOf, directions, OneOf, StackStyle, verticalAligns } from '../fields.ts'
import { columnRows, rowCells, wrapInCell, wrapInTable, wrappingCells } from '../layout.ts'
import { isDrawn } from '../piece.ts'
import { hex } from '../style/colors.ts'
import { boxOf, type Edges, frameOf, hasEdges, noEdges } from '../style/style.ts'
import type { Piece, PieceScope } from '../types.ts'

const ownFields = {
  blockStyle: Type.Optional(StackStyle),
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
  blockSchema(
    'stack',
    {
      ...ownFields,
      ...moreFields,
      children: Type.Optional(blocksOf<Child>(types, { title: 'StackChildren' })),
    },
    {
      if: { properties: { wrap: { const: true } }, required: ['wrap'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { direction: { const: 'row' } }, required: ['direction'] },
    },
  )

/** A stack uses more keys than any other block. */
export const stackStyles = ['gap', 'width', 'align', 'borderColor', 'borderWidth', 'borderRadius'] as const

interface AnyChild {
  readonly type: string
  readonly visible?: boolean
}

/** Compiles a child of any type; null when it is not visible. */
export type CompileChild<Child> = (child: Child, scope: PieceScope) => Piece | null

/** The children as table rows without the table: the root adds a row of its own (the pixel). */
export function compileRows<Child extends AnyChild>(
  stack: StackOf<Child>,
  scope: PieceScope,
  compileChild: CompileChild<Child>,
  width?: number,
) {
  const { direction = 'column', blockStyle = {}, verticalAlign: valign = 'top', wrap = false } = stack
  const align = stack.align ?? blockStyle.align ?? scope.align
  const background = hex(blockStyle.backgroundColor) ?? scope.background
  const inside: PieceScope = { ...scope, align, background, direction }
  const { children = [] } = stack
  const visible = children.map(child => compileChild(child, inside)).filter(isDrawn)
  const isDivider = visible.length > 0 && visible.every(piece => piece.isDivider)
  const hasHidden = children.some(child => child.visible === false && child.type !== 'divider')
  // The lines between blocks that are all hidden.
  const pieces = isDivider && hasHidden ? [] : visible
  const { gap = 0 } = blockStyle
  const layout = { pieces, gap, align }
  if (direction === 'column')
    return {
      align,
      isDivider,
      rows: columnRows({ ...layout, width }),
      spaceBelow: pieces.at(-1)?.spaceBelow ?? 0,
    }
  const isWrapping = wrap && pieces.length > 1
  return {
    align,
    isDivider,
    rows: (isWrapping ? wrappingCells : rowCells)({ ...layout, valign }),
    spaceBelow: isWrapping ? gap : 0,
  }
}

/** The padding of a stack, without the space that its children leave empty below themselves. */
export const paddingAround = ([top, right, bottom, left]: Edges, spaceBelow: number): Edges => [
  top,
  right,
  Math.max(0, bottom - spaceBelow),
  left,
]

export function compileStack<Child extends AnyChild>(
  stack: StackOf<Child>,
  scope: PieceScope,
  compileChild: CompileChild<Child>,
): Piece {
  const { blockStyle, direction, wrap } = stack
  const { width } = blockStyle ?? {}
  const frame = frameOf(blockStyle)
  const outside = boxOf(blockStyle, { width: undefined })
  const { background } = outside
  const isSized = width !== undefined
  const isBoxed = isSized && (background !== undefined || hasEdges(outside.padding))
  const isNested = isBoxed || frame !== undefined || (isSized && direction === 'row')
  const { align, rows, spaceBelow, isDivider } = compileRows(
    stack,
    scope,
    compileChild,
    isNested ? undefined : width,
  )
  const padding = paddingAround(outside.padding, spaceBelow)
  const box = { ...outside, align, padding }
  const more = { isDivider, spaceBelow: Math.max(0, spaceBelow - outside.padding[2]) }
  if (!isNested) return { bind: wrapInTable(rows), box, ...more }
  // The width includes the padding, and the background ends where the width ends: both belong inside the sized table.
  const inner = wrapInTable(rows, isSized && !wrap ? 'all' : undefined)
  const bind = wrapInCell(inner, { padding, background, frame }, width ?? 'all')
  return { bind, box: { ...box, padding: noEdges, background: undefined }, ...more }
}
