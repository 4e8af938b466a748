import { type Static, Type } from 'typebox'
import { aligns, blockSchema, OneOf } from '../fields.ts'
import { hex, readableOn } from '../style/colors.ts'
import { boxOf } from '../style/style.ts'
import { compileTokens, lineCss, Token } from '../tokens.ts'
import type { BlockType, Draw, Piece, PieceScope } from '../types.ts'

const TextSchema = blockSchema('text', {
  tokens: Type.Array(Token),
  align: Type.Optional(OneOf(aligns)),
})
export type TextBlock = Static<typeof TextSchema>

/** The tokens without a line of plain text: the caller adds it from `pass.tokenText`. */
export function compileWords(text: TextBlock, scope: PieceScope): Piece {
  const background = hex(text.blockStyle?.backgroundColor) ?? scope.background
  const align = text.align ?? text.blockStyle?.align ?? scope.align
  return {
    box: boxOf(text.blockStyle, { align, css: lineCss(text.tokens, background && readableOn(background)) }),
    bind: compileTokens(text.tokens, { ...scope, background }),
  }
}

function compileText(text: TextBlock, scope: PieceScope): Piece {
  const { box, bind } = compileWords(text, scope)
  return { box, bind: (open, close) => asLine(bind(open, close)) }
}

const unchanged = (words: string): string => words

/** Draws the tokens, and adds their words to the plain text. */
export const asLine =
  (drawWords: Draw, before = '\n', format: (words: string) => string = unchanged): Draw =>
  pass => {
    if (!drawWords(pass)) return false
    pass.text += before + format(pass.tokenText)
    return true
  }

export const textBlock: BlockType<TextBlock> = {
  schema: TextSchema,
  compile: compileText,
  styles: ['width', 'align'],
}
