// Turns sizes, colours and fonts of content into CSS that every mail client understands: only px and six-digit colours.
import { type Static, Type } from 'typebox'
import {
  type Align,
  type BlockStyle,
  Color,
  closedObject,
  OneOf,
  Pixels,
  type StackStyle,
} from '../fields.ts'
import { hex } from './colors.ts'

/** Web-safe font stacks. Without quotes, which would end the style attribute in some clients. */
export const fontStacks = {
  Arial: 'Arial,Helvetica,sans-serif',
  Calibri: 'Calibri,Carlito,Arial,sans-serif',
  'Courier New': 'Courier New,Courier,monospace',
  Garamond: 'Garamond,Georgia,serif',
  Georgia: 'Georgia,Times,serif',
  Helvetica: 'Helvetica,Arial,sans-serif',
  'Lucida Sans': 'Lucida Sans,Lucida Grande,sans-serif',
  Palatino: 'Palatino,Palatino Linotype,serif',
  'Segoe UI': 'Segoe UI,Helvetica,sans-serif',
  Tahoma: 'Tahoma,Geneva,sans-serif',
  'Times New Roman': 'Times New Roman,Times,serif',
  'Trebuchet MS': 'Trebuchet MS,Helvetica,sans-serif',
  Verdana: 'Verdana,Geneva,sans-serif',
} as const
export const fontFamilies = Object.keys(fontStacks) as (keyof typeof fontStacks)[]
export const fontWeights = ['normal', 'bold'] as const
export const fontStyles = ['normal', 'italic'] as const
export const textDecorations = ['none', 'underline', 'line-through'] as const
export const textTransforms = ['none', 'uppercase', 'lowercase', 'capitalize'] as const

export const TextStyle = closedObject(
  {
    fontSize: Type.Optional(Pixels(6, 96)),
    color: Type.Optional(Color()),
    lineHeight: Type.Optional(
      Type.Number({ minimum: 0, maximum: 2_000, description: 'Pixels; below 4 a multiple of fontSize' }),
    ),
    fontFamily: Type.Optional(OneOf(fontFamilies)),
    fontWeight: Type.Optional(OneOf(fontWeights)),
    fontStyle: Type.Optional(OneOf(fontStyles)),
    textDecoration: Type.Optional(OneOf(textDecorations)),
    textTransform: Type.Optional(OneOf(textTransforms)),
    letterSpacing: Type.Optional(Pixels()),
  },
  { title: 'TextStyle' },
)
export type TextStyle = Static<typeof TextStyle>

/** Rounds to half pixels. */
export const px = (size: number): string => `${Math.round(size * 2) / 2}px`.replace(/^0px$/, '0')

const defaultSize = 14

/** The line height in whole pixels: Word accepts only those as exact. */
export function lineHeightOf({ fontSize = defaultSize, lineHeight = 0 }: TextStyle): number {
  if (lineHeight === 0) return Math.round(fontSize * 1.4)
  return Math.max(1, Math.round(lineHeight < 4 ? lineHeight * fontSize : lineHeight))
}

export const fontSizeOf = ({ fontSize = defaultSize }: TextStyle): number => fontSize

/**
 * The complete font style of a token: where a part would be inherited, Word falls back to Times New Roman. The line
 * height is set on the table cell instead.
 */
export function fontCss(
  style: TextStyle,
  color: string | undefined,
  decoration = style.textDecoration,
): string {
  const parts = [
    `font-family:${fontStacks[style.fontFamily ?? 'Arial']}`,
    `font-size:${px(fontSizeOf(style))}`,
  ]
  if (color) parts.push(`color:${color}`)
  if (style.fontWeight === 'bold') parts.push('font-weight:bold')
  if (style.fontStyle === 'italic') parts.push('font-style:italic')
  if (decoration) parts.push(`text-decoration:${decoration}`)
  if (style.textTransform && style.textTransform !== 'none')
    parts.push(`text-transform:${style.textTransform}`)
  if (style.letterSpacing) parts.push(`letter-spacing:${px(style.letterSpacing)}`)
  return parts.join(';')
}

/** Top, right, bottom, left. */
export type Edges = readonly [number, number, number, number]
export const noEdges: Edges = [0, 0, 0, 0]
export const hasEdges = (edges: Edges): boolean => edges.some(edge => edge > 0)
export const addEdges = (a: Edges, b: Edges): Edges => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]

export function paddingCss([top, right, bottom, left]: Edges): string {
  const [t, r, b, l] = [px(top), px(right), px(bottom), px(left)]
  if (l !== r) return `padding:${t} ${r} ${b} ${l}`
  if (t !== b) return `padding:${t} ${r} ${b}`
  return t === r ? `padding:${t}` : `padding:${t} ${r}`
}

/** The border of a card. */
export interface CardBorder {
  /** In pixels, on each side. */
  readonly width: number
  readonly css: string
}

export const defaultLineColor = '#d0d5dd'

/** The border and the round corners of a stack; undefined when it has none. Word draws the corners square. */
export function frameOf({
  borderColor,
  borderWidth,
  borderRadius = 0,
}: StackStyle = {}): CardBorder | undefined {
  const color = borderColor === undefined ? defaultLineColor : hex(borderColor)
  const isBordered = borderColor !== undefined || borderWidth !== undefined
  const width = color && isBordered ? Math.round(borderWidth ?? 1) : 0
  if (width === 0 && borderRadius === 0) return undefined
  const css = [
    width > 0 ? `border:${width}px solid ${color}` : '',
    borderRadius > 0 ? `border-radius:${px(borderRadius)}` : '',
  ]
  return { width, css: css.filter(part => part !== '').join(';') }
}

/** The properties that a block needs from the table cell around it. */
export interface Box {
  readonly margin: Edges
  readonly padding: Edges
  readonly background: string | undefined
  readonly width: number | undefined
  readonly align: Align | undefined
  /** More CSS for the cell. */
  readonly css: string
}

export function boxOf(style: BlockStyle = {}, overrides: Partial<Box> = {}): Box {
  return {
    margin: [style.marginTop ?? 0, style.marginRight ?? 0, style.marginBottom ?? 0, style.marginLeft ?? 0],
    padding: [
      style.paddingTop ?? 0,
      style.paddingRight ?? 0,
      style.paddingBottom ?? 0,
      style.paddingLeft ?? 0,
    ],
    background: hex(style.backgroundColor),
    width: style.width,
    align: style.align,
    css: '',
    ...overrides,
  }
}
