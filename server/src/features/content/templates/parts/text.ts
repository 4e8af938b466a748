// Lines of text. Every template is made of these few styles, so sizes and line heights keep a rhythm of 4 px.
import type { Block } from '@signoff/render'
import type { FieldKey, FontFamily, Kit } from '../design.ts'

export type TextLine = Extract<Block, { type: 'text' }>
export type TextPart = TextLine['tokens'][number]
type TextStyle = NonNullable<TextPart['textStyle']>

/** Font size and line height. */
const sizes = {
  tiny: [11, 16],
  small: [12, 16],
  body: [13, 20],
  lead: [14, 20],
  name: [18, 24],
  title: [22, 28],
  display: [28, 32],
} as const
export type Size = keyof typeof sizes

export interface WordStyle extends Pick<TextStyle, 'letterSpacing' | 'textTransform' | 'fontStyle'> {
  readonly size?: Size
  readonly bold?: boolean
  readonly color?: string | undefined
  readonly font?: FontFamily | undefined
}

export function styleOf(kit: Kit, { size = 'body', bold, color, font, ...more }: WordStyle): TextStyle {
  const [fontSize, lineHeight] = sizes[size]
  const fontFamily = font ?? kit.font ?? 'Arial'
  return {
    fontFamily,
    fontSize,
    lineHeight,
    ...(bold && { fontWeight: 'bold' }),
    ...(color !== undefined && { color }),
    ...more,
  }
}

type Affixes = Pick<TextPart, 'prefix' | 'suffix' | 'href'>

/** A smart field as a part of a line. */
export const fieldToken = (kit: Kit, key: FieldKey, style: WordStyle, more: Affixes = {}): TextPart => ({
  type: 'smartFieldToken',
  smartFieldUuid: kit.fields[key],
  ...more,
  textStyle: styleOf(kit, style),
})

export const wordsToken = (kit: Kit, value: string, style: WordStyle, more: Affixes = {}): TextPart => ({
  type: 'textToken',
  value,
  ...more,
  textStyle: styleOf(kit, style),
})

export const line = (displayName: string, ...tokens: readonly TextPart[]): TextLine => ({
  type: 'text',
  displayName,
  tokens: [...tokens],
})

export const nameTokens = (kit: Kit, style: WordStyle): readonly TextPart[] => {
  const named = { color: kit.palette.text, bold: true, ...style }
  return [fieldToken(kit, 'first_name', named), fieldToken(kit, 'last_name', named, { prefix: ' ' })]
}

export const nameLine = (kit: Kit, style: WordStyle = {}): TextLine =>
  line('Name', ...nameTokens(kit, { size: 'name', ...style }))

/** Small capitals with space between them, over a name or below it. */
export const spaced = { size: 'tiny', bold: true, letterSpacing: 1, textTransform: 'uppercase' } as const

const labels = { job_title: 'Job title', department: 'Department', company: 'Company' } as const

/** The job title, the department or the company, on a line of its own: it leaves no comma behind when it is empty. */
export const roleLine = (kit: Kit, key: keyof typeof labels, style: WordStyle = {}): TextLine =>
  line(labels[key], fieldToken(kit, key, { color: kit.palette.muted, ...style }))

export const legalLine = (kit: Kit, fallback?: string, style: WordStyle = {}): TextLine | null => {
  const words = kit.legal ?? fallback
  if (words === undefined) return null
  return line('Legal notice', wordsToken(kit, words, { size: 'tiny', color: kit.palette.muted, ...style }))
}
