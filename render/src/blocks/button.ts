import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import { aligns, blockSchema, buttonVariants, Color, OneOf, Pixels } from '../fields.ts'
import { compileHref, Href, trackedHref } from '../href.ts'
import { oneLine } from '../html.ts'
import { wrapInCell } from '../layout.ts'
import { addConstant, addValue } from '../output.ts'
import { drawSeparately } from '../piece.ts'
import { boxOf, noEdges, px } from '../style.ts'
import { compileTokens, lineCss, linkColor, Token } from '../tokens.ts'
import type { Piece, PieceScope } from '../types.ts'

export const ButtonSchema = blockSchema('button', {
  tokens: Type.Array(Token),
  href: Href,
  variant: Type.Optional(OneOf(buttonVariants)),
  color: Type.Optional(Color()),
  backgroundColor: Type.Optional(Color()),
  borderRadius: Type.Optional(Pixels()),
  align: Type.Optional(OneOf(aligns)),
})
export type Button = Static<typeof ButtonSchema>

const defaultBackground = '#1f5fbf'

/** A padded, coloured table cell. Word draws the corners square; no VML is needed. */
export function compileButton(button: Button, scope: PieceScope): Piece {
  const { id, blockStyle, tokens, borderRadius = 4 } = button
  const chosen = button.backgroundColor ?? blockStyle?.backgroundColor
  const background = chosen === undefined ? defaultBackground : hex(chosen)
  const defaultColor = background ? '#ffffff' : linkColor
  const color = tokens.map(token => hex(token.textStyle?.color)).find(color => color) ?? defaultColor
  const label = compileTokens(
    tokens,
    { ...scope, background: background ?? scope.background },
    { color: defaultColor, inLink: true },
  )
  const target = compileHref(button.href, scope, id)
  const box = boxOf(blockStyle, { align: button.align ?? blockStyle?.align ?? scope.align })
  const isPadded = Object.keys(blockStyle ?? {}).some(key => key.startsWith('padding'))
  const bindLink: Piece['bind'] = (open, close) => {
    const draw = label(`" style="color:${color};text-decoration:none">`, `</a>${close}`)
    const start = `${open}<a href="`
    return pass => {
      const url = target(pass)
      // The label is drawn first: without a label the button is left out.
      const labelHtml = url === null ? null : drawSeparately(pass, draw)
      if (url === null || labelHtml === null) return false
      pass.text += `\n${oneLine(pass.tokenText)}: ${url}`
      addConstant(pass.out, start)
      addValue(pass.out, trackedHref(pass, url, id))
      addValue(pass.out, labelHtml)
      return true
    }
  }
  const bind = wrapInCell(
    bindLink,
    {
      padding: isPadded ? box.padding : [8, 16, 8, 16],
      background,
      width: box.width,
      align: 'center',
      css: `${borderRadius > 0 ? `border-radius:${px(borderRadius)};` : ''}${lineCss(tokens)}`,
    },
    box.width,
  )
  return { bind, box: { ...box, padding: noEdges, background: undefined, width: undefined } }
}
