import { type Static, Type } from 'typebox'
import { aligns, blockSchema, buttonVariants, Color, OneOf, Pixels } from '../fields.ts'
import { oneLine } from '../html.ts'
import { wrapInCell } from '../layout.ts'
import { compileHref, Href, trackedHref } from '../links/href.ts'
import { addConstant, addValue } from '../output.ts'
import { drawSeparately } from '../piece.ts'
import { hex } from '../style/colors.ts'
import { boxOf, type CardBorder, type Edges, frameOf, noEdges, paddingCss, px } from '../style/style.ts'
import { compileTokens, linkColor, Token, textFontSize, textLineHeight } from '../tokens.ts'
import type { BlockType, Piece, PieceScope } from '../types.ts'

const ButtonSchema = blockSchema('button', {
  tokens: Type.Array(Token),
  href: Href,
  variant: Type.Optional(OneOf(buttonVariants)),
  color: Type.Optional(Color()),
  backgroundColor: Type.Optional(Color()),
  borderRadius: Type.Optional(Pixels()),
  align: Type.Optional(OneOf(aligns)),
})
type Button = Static<typeof ButtonSchema>

export const defaultButtonColor = '#1f5fbf'
/** The padding of a button that says nothing about it. */
export const buttonPadding: Edges = [8, 16, 8, 16]
/** A finger does not hit anything lower. */
const minHeight = 24

interface Look {
  readonly background: string | undefined
  readonly frame: CardBorder | undefined
  /** The colour of labels that set none. */
  readonly color: string
}

function lookOf({ variant, borderRadius = 4, blockStyle, ...button }: Button): Look {
  const chosen = button.backgroundColor ?? blockStyle?.backgroundColor
  const accent = chosen === undefined ? defaultButtonColor : hex(chosen)
  const color = hex(button.color)
  if (variant !== 'outline') {
    const frame = borderRadius > 0 ? frameOf({ borderRadius }) : undefined
    return { background: accent, frame, color: color ?? (accent ? '#ffffff' : linkColor) }
  }
  // Unlike the default background, the colour of links is readable on a dark mail, too.
  const line = (chosen === undefined ? color : accent) ?? linkColor
  return {
    background: undefined,
    frame: frameOf({ borderRadius, borderColor: line, borderWidth: 1 }),
    color: color ?? line,
  }
}

/** The space between the edge of the button and its label. */
function paddingOf({ blockStyle, tokens }: Button, frame: CardBorder | undefined): Edges {
  const isPadded = Object.keys(blockStyle ?? {}).some(key => key.startsWith('padding'))
  const line = frame?.width ?? 0
  const padding = (isPadded ? boxOf(blockStyle).padding : buttonPadding).map(edge => Math.max(0, edge - line))
  const [top = 0, right = 0, bottom = 0, left = 0] = padding
  const missing = Math.max(0, minHeight - textLineHeight(tokens) - top - bottom - line * 2)
  return [top + Math.ceil(missing / 2), right, bottom + Math.floor(missing / 2), left]
}

/**
 * A coloured table cell that is filled by its link. Word ignores the padding of a link. There, spaces of the link that
 * are stretched and raised fill the cell instead; in other clients they are about 2 px wide.
 */
function compileButton(button: Button, scope: PieceScope): Piece {
  const { id, blockStyle, tokens } = button
  const { background, frame, color: defaultColor } = lookOf(button)
  const color = tokens.map(token => hex(token.textStyle?.color)).find(color => color) ?? defaultColor
  const padding = paddingOf(button, frame)
  const label = compileTokens(
    tokens,
    { ...scope, background: background ?? scope.background },
    { color: defaultColor, inLink: true, css: `;mso-text-raise:${points(padding[2])}` },
  )
  const target = compileHref(button.href, scope, id)
  const box = boxOf(blockStyle, { align: button.align ?? blockStyle?.align ?? scope.align })
  const css = `display:block;${paddingCss(padding)};mso-padding-alt:0;line-height:${textLineHeight(tokens)}px;color:${color};text-decoration:none`
  const [before, after] = [
    wordSpace(padding[3], `;mso-text-raise:${points(padding[0] + padding[2])}`),
    wordSpace(padding[1]),
  ]
  const bindLink: Piece['bind'] = (open, close) => {
    const draw = label(`" style="${css}">${before}`, `${after}</a>${close}`)
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
  const cell = {
    padding: noEdges,
    background,
    align: 'center',
    frame,
    css: `font-size:${px(textFontSize(tokens))}`,
  } as const
  return {
    bind: wrapInCell(bindLink, cell, box.width),
    box: { ...box, padding: noEdges, background: undefined, width: undefined },
  }
}

/** Word rounds pixels in its own properties; points are exact. */
const points = (pixels: number): string => `${Math.round(pixels * 7.5) / 10}pt`

/** Two hair spaces (2 px each in Word) that only Word stretches to this width. */
const wordSpace = (width: number, css = ''): string =>
  `<i style="mso-font-width:${Math.round(width * 25)}%${css}">&#8202;&#8202;</i>`

export const buttonBlock: BlockType<Button> = {
  schema: ButtonSchema,
  compile: compileButton,
  styles: ['width', 'align'],
}
