import { type Static, Type } from 'typebox'
import { blockSchema, Color, OneOf, Pixels } from '../fields.ts'
import { spacerCss } from '../html.ts'
import { cellOpen, spacer, wrapInCell } from '../layout.ts'
import { constant, drawNothing } from '../piece.ts'
import { hex } from '../style/colors.ts'
import { boxOf, defaultLineColor, noEdges } from '../style/style.ts'
import type { BlockType, Piece, PieceScope } from '../types.ts'

export const dividerDirections = ['horizontal', 'vertical'] as const
const DividerSchema = blockSchema('divider', {
  color: Type.Optional(Color()),
  thickness: Type.Optional(Pixels()),
  direction: Type.Optional(OneOf(dividerDirections)),
})
type Divider = Static<typeof DividerSchema>

/** A coloured table cell, not a border: some mail clients draw a border of one side on all four sides. */
function compileDivider(divider: Divider, scope: PieceScope): Piece {
  const thickness = Math.round(divider.thickness ?? 1)
  const background = divider.color === undefined ? defaultLineColor : hex(divider.color)
  const box = boxOf(divider.blockStyle, { align: divider.blockStyle?.align ?? scope.align })
  if (thickness === 0) return { bind: drawNothing, box, isDivider: true }
  // In a row the divider is vertical, unless the content gives it a width.
  if (scope.direction === 'row' && (divider.direction === 'vertical' || box.width === undefined)) {
    const [, right, , left] = box.margin.map((edge, side) => edge + (box.padding[side] ?? 0))
    const stroke = `${cellOpen({ padding: noEdges, background, width: thickness, css: spacerCss })}&nbsp;</td>`
    const html = `${left ? spacer(left) : ''}${stroke}${right ? spacer(right) : ''}`
    return { bind: constant(html), box, ownCell: true, isDivider: true }
  }
  const css = `height:${thickness}px;${spacerCss}`
  const bind = wrapInCell(
    constant('&nbsp;', '--------'),
    { padding: noEdges, background, css, height: thickness },
    box.width ?? 'all',
  )
  return { bind, box: { ...box, width: undefined }, isDivider: true }
}

export const dividerBlock: BlockType<Divider> = {
  schema: DividerSchema,
  compile: compileDivider,
  styles: ['width', 'align'],
  // A line without a width of its own is as wide as the block around it.
  ignoresStyle: ({ blockStyle }, key) => key === 'align' && blockStyle?.width === undefined,
}
