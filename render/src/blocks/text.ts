import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import { aligns, blockSchema, OneOf } from '../fields.ts'
import { boxOf } from '../style.ts'
import { compileTokens, lineCss, Token } from '../tokens.ts'
import type { Draw, Piece, PieceScope } from '../types.ts'

export const TextSchema = blockSchema('text', {
  tokens: Type.Array(Token),
  align: Type.Optional(OneOf(aligns)),
})
export type Text = Static<typeof TextSchema>

/** The words alone, which make no line of the plain text yet. */
export function compileWords(text: Text, scope: PieceScope): Piece {
  const background = hex(text.blockStyle?.backgroundColor) ?? scope.background
  const align = text.align ?? text.blockStyle?.align ?? scope.align
  return {
    box: boxOf(text.blockStyle, { align, css: lineCss(text.tokens) }),
    bind: compileTokens(text.tokens, { ...scope, background }),
  }
}

export function compileText(text: Text, scope: PieceScope): Piece {
  const { box, bind } = compileWords(text, scope)
  return { box, bind: (open, close) => asLine(bind(open, close)) }
}

const same = (words: string): string => words

export const asLine =
  (words: Draw, before = '\n', as: (words: string) => string = same): Draw =>
  pass => {
    if (!words(pass)) return false
    pass.text += before + as(pass.words)
    return true
  }
