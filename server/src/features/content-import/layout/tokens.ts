// Runs of text with a look become the tokens of a text block.
import type { TextLook } from '../html/style.ts'
import { baseFontSize } from '../html/units.ts'
import type { Draft, DraftToken } from './draft.ts'

export interface TextRun {
  readonly kind: 'text'
  readonly text: string
  readonly look: TextLook
  readonly href: string | undefined
}

/** Browsers use about this height where no other is given. */
const normalLineHeight = 1.2
const maxTokenLength = 5_000

export function lineHeightIn({ fontSize = baseFontSize, lineHeight = normalLineHeight }: TextLook): number {
  const pixels = lineHeight < 4 ? lineHeight * fontSize : lineHeight
  return Math.min(2_000, Math.max(1, Math.round(pixels)))
}

const decorationOf = ({ isStruck, isUnderlined }: TextLook): string | undefined =>
  isStruck ? 'line-through' : isUnderlined ? 'underline' : undefined

export function textStyleOf(look: TextLook): Record<string, string | number> {
  const fontSize = Math.min(96, Math.max(6, Math.round((look.fontSize ?? baseFontSize) * 2) / 2))
  const style: Record<string, string | number | undefined> = {
    fontSize,
    color: look.color,
    lineHeight: lineHeightIn(look),
    fontFamily: look.fontFamily,
    fontWeight: look.isBold ? 'bold' : undefined,
    fontStyle: look.isItalic ? 'italic' : undefined,
    textDecoration: decorationOf(look),
    textTransform: look.transform,
    letterSpacing:
      look.letterSpacing && look.letterSpacing > 0 ? Math.min(100, look.letterSpacing) : undefined,
  }
  return Object.fromEntries(
    Object.entries(style).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  )
}

const blankText = /^[\s\u200b-\u200d\u2060\ufeff]*$/
/** Nothing to see, whatever the look: blanks, non-breaking ones and zero-width characters. */
export const isBlankText = (text: string): boolean => blankText.test(text)

const key = (token: DraftToken): string => JSON.stringify([token.textStyle, token.href])

function tokensOf({ text, look, href }: TextRun): DraftToken[] {
  const style = { textStyle: textStyleOf(look), ...(href !== undefined && { href: { text: href } }) }
  const parts: DraftToken[] = []
  for (let at = 0; at < text.length; at += maxTokenLength)
    parts.push({ type: 'textToken', value: text.slice(at, at + maxTokenLength), ...style })
  return parts
}

/** One line of text. Runs that look alike share a token. */
export function textDraft(runs: readonly TextRun[]): Draft {
  const tokens: DraftToken[] = []
  let lastKey = ''
  for (const run of runs)
    for (const token of tokensOf(run)) {
      const last = tokens.at(-1)
      const tokenKey = key(token)
      const joined = `${last?.value ?? ''}${token.value ?? ''}`
      if (last && tokenKey === lastKey && joined.length <= maxTokenLength) last.value = joined
      else tokens.push(token)
      lastKey = tokenKey
    }
  return { type: 'text', tokens }
}
