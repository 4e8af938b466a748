import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import { aligns, blockSchema, Color, OneOf, Pixels } from '../fields.ts'
import { compileHref, Href, linked } from '../href.ts'
import { boxed } from '../layout.ts'
import { addConstant, addValue } from '../output.ts'
import type { Piece, Scope } from '../piece.ts'
import { boxOf, hasEdges, noEdges, px } from '../style.ts'
import { compileTokens, lineCss, linkColor, Token } from '../tokens.ts'

export const ButtonSchema = blockSchema('button', {
  tokens: Type.Array(Token),
  href: Href,
  backgroundColor: Type.Optional(Color()),
  borderRadius: Type.Optional(Pixels()),
  align: Type.Optional(OneOf(aligns)),
})
export type Button = Static<typeof ButtonSchema>

const usualBackground = '#1f5fbf'

/** A padded, coloured cell; Word draws it square, and no VML is needed. */
export function compileButton(button: Button, scope: Scope): Piece {
  const { id, blockStyle, tokens, borderRadius = 4 } = button
  const given = button.backgroundColor ?? blockStyle?.backgroundColor
  const background = given === undefined ? usualBackground : hex(given)
  const label = compileTokens(
    tokens,
    { ...scope, background: background ?? scope.background },
    { color: background ? '#ffffff' : linkColor, inLink: true },
  )
  const target = compileHref(button.href, scope, id)
  const box = boxOf(blockStyle, { align: button.align ?? blockStyle?.align ?? scope.align })
  const inside: Piece['bind'] = (open, close) => {
    const draw = label('" style="text-decoration:none">', `</a>${close}`)
    const start = `${open}<a href="`
    return pass => {
      const url = target(pass)
      if (url === null) return false
      const { out, anchors } = pass
      const { html, glue } = out
      const links = anchors.length
      addConstant(out, start)
      addValue(out, linked(pass, url, id))
      if (!draw(pass)) {
        out.html = html
        out.glue = glue
        anchors.length = links
        return false
      }
      pass.text += `\n${pass.words}: ${url}`
      return true
    }
  }
  const bind = boxed(
    inside,
    {
      padding: hasEdges(box.padding) ? box.padding : [8, 16, 8, 16],
      background,
      width: box.width,
      align: 'center',
      css: `${borderRadius > 0 ? `border-radius:${px(borderRadius)};` : ''}${lineCss(tokens)}`,
    },
    box.width,
  )
  return { bind, box: { ...box, padding: noEdges, background: undefined, width: undefined } }
}
