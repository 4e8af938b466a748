// Blocks under construction, and how space around them is added up.
import type { FourSides, ImportAlign } from '../html/computed-style.ts'

export interface DraftStyle {
  marginTop?: number
  marginRight?: number
  marginBottom?: number
  marginLeft?: number
  paddingTop?: number
  paddingRight?: number
  paddingBottom?: number
  paddingLeft?: number
  backgroundColor?: string
  gap?: number
  width?: number
  align?: ImportAlign
  borderColor?: string
  borderWidth?: number
  borderRadius?: number
}

export interface DraftToken {
  id?: string
  type?: 'textToken'
  value?: string
  smartFieldUuid?: string
  textStyle?: Record<string, string | number>
  href?: { text?: string; smartFieldUuid?: string }
}

/** A block of any type. Pictures have the number of their source until it is stored as an asset. */
export interface Draft {
  id?: string
  type: string
  blockStyle?: DraftStyle
  children?: Draft[]
  tokens?: DraftToken[]
  direction?: 'row' | 'column' | 'horizontal' | 'vertical'
  align?: ImportAlign
  verticalAlign?: 'top' | 'middle' | 'bottom'
  href?: { text?: string; smartFieldUuid?: string }
  picture?: number
  [field: string]: unknown
}

const marginNames = ['marginTop', 'marginRight', 'marginBottom', 'marginLeft'] as const
const paddingNames = ['paddingTop', 'paddingRight', 'paddingBottom', 'paddingLeft'] as const

const maxPixels = 2_000
const rounded = (pixels: number): number => Math.min(maxPixels, Math.round(pixels * 2) / 2)

function addSides(
  draft: Draft,
  names: typeof marginNames | typeof paddingNames,
  sides: FourSides<number>,
): void {
  for (const [at, name] of names.entries()) {
    const sum = rounded((draft.blockStyle?.[name] ?? 0) + (sides[at] ?? 0))
    if (sum > 0) draft.blockStyle = { ...draft.blockStyle, [name]: sum }
  }
}

export const addMargin = (draft: Draft, sides: FourSides<number>): void => addSides(draft, marginNames, sides)
export const addPadding = (draft: Draft, sides: FourSides<number>): void =>
  addSides(draft, paddingNames, sides)

export const marginOf = ({ blockStyle = {} }: Draft): FourSides<number> =>
  marginNames.map(name => blockStyle[name] ?? 0) as unknown as FourSides<number>
export const paddingOf = ({ blockStyle = {} }: Draft): FourSides<number> =>
  paddingNames.map(name => blockStyle[name] ?? 0) as unknown as FourSides<number>

export const sumOfSides = (a: FourSides<number>, b: FourSides<number>): FourSides<number> => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
]

export const stackOf = (children: Draft[], fields: Partial<Draft> = {}): Draft => ({
  type: 'stack',
  ...fields,
  children,
})

/** One block for all: the only one itself, or a column. */
export function asOneDraft(drafts: Draft[]): Draft {
  const [only] = drafts
  return only !== undefined && drafts.length === 1 ? only : stackOf(drafts)
}

/** Aligns a block that sets no alignment itself. */
export function alignDraft(draft: Draft, align: ImportAlign): void {
  if (draft.align !== undefined || draft.blockStyle?.align !== undefined) return
  if (['text', 'stack', 'button', 'socialList'].includes(draft.type)) draft.align = align
  else draft.blockStyle = { ...draft.blockStyle, align }
}

/** Letters are about half as wide as high. */
const widthOfText = ({ value = '', textStyle = {} }: DraftToken): number =>
  value.length * Number(textStyle.fontSize ?? 14) * (textStyle.fontWeight === 'bold' ? 0.6 : 0.55)

const textHeight = ({ tokens = [] }: Draft): number =>
  Math.max(14, ...tokens.map(token => Number(token.textStyle?.lineHeight ?? 18)))

interface Size {
  readonly width: number
  readonly height: number
}

/** Levels that are nested deeper do not count: an estimate at each level of a deep tree must not take quadratic time. */
const maxEstimateDepth = 8

/** About how high and how wide a block is: good enough to compare cells of a table. */
export function estimateSize(draft: Draft, depth = maxEstimateDepth): Size {
  if (depth === 0) return { width: 0, height: 0 }
  const [top, right, bottom, left] = sumOfSides(marginOf(draft), paddingOf(draft))
  const inner = innerSize(draft, depth - 1)
  const width = draft.blockStyle?.width ?? inner.width + left + right
  return { width, height: inner.height + top + bottom }
}

function innerSize(draft: Draft, depth: number): Size {
  const { type, children = [], tokens = [] } = draft
  if (type === 'text' || type === 'button') {
    const width = tokens.reduce((total, token) => total + widthOfText(token), 0)
    return { width, height: textHeight(draft) }
  }
  if (type === 'image') {
    const { width = draft.height, height = draft.width } = draft
    return { width: Number(width ?? 60), height: Number(height ?? 60) }
  }
  if (type === 'listItem') return rowSize(children, depth)
  if (type === 'socialList') {
    const size = Number(draft.iconSize ?? 24)
    return { width: children.length * (size + (draft.blockStyle?.gap ?? 8)), height: size }
  }
  if (type === 'divider') return { width: 1, height: Number(draft.thickness ?? 1) }
  return draft.direction === 'row' ? rowSize(children, depth) : columnSize(children, depth)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)

function rowSize(children: readonly Draft[], depth: number): Size {
  const sizes = children.map(child => estimateSize(child, depth))
  return { width: sum(sizes.map(size => size.width)), height: most(sizes.map(size => size.height)) }
}

function columnSize(children: readonly Draft[], depth: number): Size {
  const sizes = children.map(child => estimateSize(child, depth))
  return { width: most(sizes.map(size => size.width)), height: sum(sizes.map(size => size.height)) }
}
