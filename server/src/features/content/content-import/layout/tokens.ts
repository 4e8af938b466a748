// Runs of text with a style become the tokens of a text block.
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { ComputedText } from '../html/computed-style.ts'
import { baseFontSize } from '../html/units.ts'
import type { Draft, DraftToken } from './draft.ts'

export interface TextRun {
  readonly kind: 'text'
  readonly text: string
  readonly style: ComputedText
  readonly href: string | undefined
}

/** The height of a line where no other is given, as a factor of the font size. It depends on the font. */
const normalLineHeight = 1.15
const normalLineHeights: Readonly<Record<string, number>> = {
  Calibri: 1.22,
  'Segoe UI': 1.33,
  Tahoma: 1.21,
  Verdana: 1.21,
}
const maxTokenLength = 5_000

export function lineHeightIn({
  fontSize = baseFontSize,
  lineHeight,
  fontFamily = 'Arial',
}: ComputedText): number {
  const factor = lineHeight ?? ownEntry(normalLineHeights, fontFamily) ?? normalLineHeight
  const pixels = factor < 4 ? factor * fontSize : factor
  return Math.min(2_000, Math.max(1, Math.round(pixels)))
}

/** The space below a picture that stands on a line of text. */
export function spaceBelowLine(style: ComputedText): number {
  const { fontSize = baseFontSize } = style
  return Math.max(0, Math.round((lineHeightIn(style) - 1.117 * fontSize) / 2 + 0.212 * fontSize))
}

const decorationOf = ({ isStruck, isUnderlined }: ComputedText): string | undefined =>
  isStruck ? 'line-through' : isUnderlined ? 'underline' : undefined

export function textStyleOf(style: ComputedText): Record<string, string | number> {
  const fontSize = Math.min(96, Math.max(6, Math.round(style.fontSize ?? baseFontSize)))
  const declarations: Record<string, string | number | undefined> = {
    fontSize,
    color: style.color,
    lineHeight: lineHeightIn(style),
    fontFamily: style.fontFamily,
    fontWeight: style.isBold ? 'bold' : undefined,
    fontStyle: style.isItalic ? 'italic' : undefined,
    textDecoration: decorationOf(style),
    textTransform: style.transform,
    letterSpacing:
      style.letterSpacing && style.letterSpacing > 0 ? Math.min(100, style.letterSpacing) : undefined,
  }
  return Object.fromEntries(
    Object.entries(declarations).filter(
      (entry): entry is [string, string | number] => entry[1] !== undefined,
    ),
  )
}

const blankText = /^[\s\u200b-\u200d\u2060\ufeff]*$/
/** Nothing to see, whatever the style: blanks, non-breaking ones and zero-width characters. */
export const isBlankText = (text: string): boolean => blankText.test(text)

const key = (token: DraftToken): string => JSON.stringify([token.textStyle, token.href])

function tokensOf({ text, style, href }: TextRun, minHeight: number): DraftToken[] {
  const textStyle = textStyleOf(style)
  textStyle.lineHeight = Math.max(minHeight, Number(textStyle.lineHeight))
  const shared = { textStyle, ...(href !== undefined && { href: { text: href } }) }
  const parts: DraftToken[] = []
  for (let at = 0; at < text.length; at += maxTokenLength)
    parts.push({ type: 'textToken', value: text.slice(at, at + maxTokenLength), ...shared })
  return parts
}

/** One line of text. Runs of the same style share a token. No line is lower than `minHeight`. */
export function textDraft(runs: readonly TextRun[], minHeight = 0): Draft {
  const tokens: DraftToken[] = []
  let lastKey = ''
  for (const run of runs)
    for (const token of tokensOf(run, minHeight)) {
      const last = tokens.at(-1)
      const tokenKey = key(token)
      const joined = `${last?.value ?? ''}${token.value ?? ''}`
      if (last && tokenKey === lastKey && joined.length <= maxTokenLength) last.value = joined
      else tokens.push(token)
      lastKey = tokenKey
    }
  return { type: 'text', tokens }
}
