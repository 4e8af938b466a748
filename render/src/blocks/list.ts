import { type Static, Type } from 'typebox'
import { blockSchema, blocksOf, Color, directions, OneOf, Pixels } from '../fields.ts'
import { spacerCss } from '../html.ts'
import { iconLabel, iconNames } from '../icons.ts'
import {
  type CellEnds,
  cellOpen,
  columnRows,
  firstThenNext,
  nestedCell,
  spacer,
  wrapInCell,
  wrapInTable,
} from '../layout.ts'
import { addConstant, addValue } from '../output.ts'
import { drawSeparately, marksOf, withMarks, wrapPiece } from '../piece.ts'
import { hex } from '../style/colors.ts'
import { addEdges, type Box, boxOf, type Edges, noEdges } from '../style/style.ts'
import { compileTokens, lineCss, Token, textLineHeight } from '../tokens.ts'
import type { BlockType, Draw, PartType, Piece, PieceScope } from '../types.ts'
import { iconImage } from './icon.ts'
import { asLine, compileWords, type TextBlock } from './text.ts'

const LabelSchema = blockSchema(
  'listItemLabel',
  {
    tokens: Type.Optional(Type.Array(Token)),
    icon: Type.Optional(OneOf(iconNames, { title: 'IconName' })),
    color: Type.Optional(Color()),
  },
  { oneOf: [{ required: ['tokens'] }, { required: ['icon'] }] },
)
export type ListItemLabel = Static<typeof LabelSchema>

const ItemFields = blockSchema('listItem', {})
export interface ListItem extends Static<typeof ItemFields> {
  readonly children: readonly (ListItemLabel | TextBlock)[]
}
const isOfType = (type: string) => ({
  type: 'object',
  properties: { type: { const: type } },
  required: ['type'],
})
const isTextSchema = isOfType('text')
const isLabelSchema = isOfType('listItemLabel')
const ItemSchema = blockSchema('listItem', {
  children: blocksOf<ListItemLabel | TextBlock>(['listItemLabel', 'text'], {
    minItems: 1,
    maxItems: 500,
    contains: isTextSchema,
    // That the label is the first would need an open tuple, which strict validators refuse.
    allOf: [{ type: 'array', items: {}, contains: isLabelSchema, minContains: 0, maxContains: 1 }],
  }),
})

const listFields = {
  direction: Type.Optional(OneOf(directions)),
  iconSize: Type.Optional(Pixels()),
}
const ListFields = blockSchema('list', listFields)
interface List extends Static<typeof ListFields> {
  readonly children?: readonly ListItem[]
}
const ListSchema = blockSchema('list', {
  ...listFields,
  children: Type.Optional(blocksOf<ListItem>(['listItem'])),
})

const defaultIconSize = 16
const labelGap = 8
/** Word moves the whole row down by this much at most, instead of one cell of it. */
const maxUnevenPixels = 2

interface ItemPosition {
  readonly isRow: boolean
  readonly hasLabels: boolean
  readonly width: number | undefined
  readonly iconSize: number
  /** The gap before this item. */
  readonly gap: number
}

/**
 * Labels have their own column, so that the texts line up. An item whose texts are all empty is left out, with its
 * label.
 */
function compileList(list: List, scope: PieceScope): Piece {
  const { direction = 'column', blockStyle } = list
  const isRow = direction === 'row'
  const items = (list.children ?? []).filter(item => item.visible !== false)
  const hasLabels = items.some(item => labelOf(item) !== undefined)
  const iconSize = Math.max(1, Math.round(list.iconSize ?? defaultIconSize))
  const position = { isRow, hasLabels, width: blockStyle?.width, iconSize }
  const gap = blockStyle?.gap ?? (isRow ? 16 : 4)
  const rows = firstThenNext(
    items.map(item => ({
      first: compileItem(item, scope, { ...position, gap: 0 }),
      next: compileItem(item, scope, { ...position, gap }),
    })),
  )
  return {
    box: boxOf(blockStyle, { align: blockStyle?.align ?? scope.align, width: undefined }),
    bind: sizedTable(isRow ? wrapPiece(rows)('<tr>', '</tr>') : rows, blockStyle?.width),
  }
}

const sizedTable = (rows: Draw, width: number | undefined): Piece['bind'] =>
  width === undefined ? wrapInTable(rows) : wrapInCell(wrapInTable(rows, 'all'), { padding: noEdges }, width)

const isLabel = (child: ListItemLabel | TextBlock): child is ListItemLabel => child.type === 'listItemLabel'
const labelOf = ({ children }: ListItem): ListItemLabel | undefined =>
  children.filter(isLabel).find(label => label.visible !== false)

function compileItem(item: ListItem, scope: PieceScope, position: ItemPosition): Draw {
  const label = labelOf(item)
  const texts = item.children.filter(
    child => !isLabel(child) && child.visible !== false,
  ) as readonly TextBlock[]
  const pieces = texts.map(text => withMarks(compileWords(text, scope), scope, text.id))
  const { box, bind } = inOneCell(pieces, item, scope)
  const itemBox = boxOf(item.blockStyle)
  const [before, after, gap] = aroundItem(position, itemBox)
  const [mark, markEnd] = marksOf(scope, item.id)
  const [open, close] = [before + mark, markEnd + after]
  const edges = addEdges(addEdges(itemBox.margin, itemBox.padding), [gap, 0, 0, 0])
  const [top, right, bottom, left] = edges
  const cell = (padding: Edges, inner: Box, drop = 0): CellEnds =>
    itemCell(padding, itemBox.background, movedDown(inner, drop), position.isRow)
  const drop = label ? labelDrop(label, position.iconSize, texts[0], pieces[0]?.box) : 0
  const [start, end] = cell(label ? [top, right, bottom, 0] : edges, box, -drop)
  if (!label) {
    const unlabelled = position.hasLabels && !position.isRow ? start.replace('<td', '<td colspan="2"') : start
    return asLine(bind(open + unlabelled, end + close), '\n', oneLineList)
  }
  const css = label.tokens ? lineCss(label.tokens, hex(label.color)) : ''
  const labelBox = boxOf(label.blockStyle, { css })
  const [labelStart, labelEnd] = cell([top, labelGap, bottom, left], labelBox, drop)
  const isNarrow = position.width !== undefined && labelBox.width === undefined
  const narrow = isNarrow ? labelStart.replace('<td', '<td width="1%"') : labelStart
  const image = label.icon
    ? iconImage(label.icon, { id: label.id, size: position.iconSize, color: label.color }, '', scope)
    : ''
  const [labelMark, labelMarkEnd] = marksOf(scope, label.id)
  const ends = [open + narrow + labelMark + image, labelMarkEnd + labelEnd + start] as const
  return compileLabelled(label, scope, ends, bind('', end + close))
}

/**
 * Pixels that the label must move down, so that its middle is level with the middle of the first line of the texts.
 * Negative: the texts must move down.
 */
function labelDrop(label: ListItemLabel, iconSize: number, text?: TextBlock, box?: Box): number {
  const height = label.icon ? iconSize : textLineHeight(label.tokens ?? [])
  const textTop = box ? box.margin[0] + box.padding[0] : 0
  return Math.trunc(textTop + (textLineHeight(text?.tokens ?? []) - height) / 2)
}

const movedDown = (box: Box, drop: number): Box =>
  drop > 0 ? { ...box, padding: addEdges(box.padding, [drop, 0, 0, 0]) } : box

/** The HTML before and after an item, and the part of the gap that its cells must add as padding. */
function aroundItem(
  { isRow, gap, hasLabels }: ItemPosition,
  { background }: Box,
): readonly [string, string, number] {
  if (isRow) return [gap > 0 ? spacer(gap) : '', '', 0]
  if (!background || gap === 0) return ['<tr>', '</tr>', gap]
  // A row of its own for the gap: the background of the item must not cover it.
  const space = cellOpen({ padding: [gap, 0, 0, 0], css: spacerCss })
  return [`<tr>${hasLabels ? space.replace('<td', '<td colspan="2"') : space}</td></tr><tr>`, '</tr>', 0]
}

/**
 * Word gives all cells of a row the same vertical padding, so the padding of a single text goes into a nested table.
 */
function itemCell(padding: Edges, background: string | undefined, inner: Box, isRow: boolean): CellEnds {
  const [top, right, bottom, left] = padding
  const align = inner.align === 'left' ? undefined : inner.align
  const { css, width } = inner
  const outside: Edges = isRow ? [0, right, 0, left] : padding
  const inside = addEdges(addEdges(inner.margin, inner.padding), isRow ? [top, 0, bottom, 0] : noEdges)
  const isHigh = inside[0] > maxUnevenPixels || inside[2] > maxUnevenPixels
  const ownBackground = inner.background ?? background
  if (!isHigh)
    return [
      cellOpen({
        padding: addEdges(outside, inside),
        background: ownBackground,
        width,
        align,
        valign: 'top',
        css,
      }),
      '</td>',
    ]
  return nestedCell(
    { padding: outside, background, width, align, valign: 'top' },
    { padding: inside, background: ownBackground, align, css },
    ownBackground ? 'all' : undefined,
  )
}

/** A single text is drawn in the cell itself; several texts become a column, joined to one line in the plain text. */
function inOneCell(pieces: readonly Piece[], item: ListItem, scope: PieceScope): Piece {
  const [only, ...others] = pieces
  if (only !== undefined && others.length === 0) return only
  const lines = pieces.map(
    ({ box, bind }): Piece => ({ box, bind: (open, close) => asLine(bind(open, close), ', ') }),
  )
  const rows = columnRows({ pieces: lines, gap: item.blockStyle?.gap ?? 0, align: scope.align })
  const collected: Draw = pass => {
    const { text } = pass
    pass.text = ''
    const isDrawn = rows(pass)
    pass.tokenText = pass.text.slice(2)
    pass.text = text
    return isDrawn
  }
  return { box: boxOf(), bind: wrapInTable(collected) }
}

/** The label is left out when its texts are empty. In plain text: `label: value`, on one line. */
function compileLabelled(
  label: ListItemLabel,
  scope: PieceScope,
  [open, close]: readonly [string, string],
  texts: Draw,
): Draw {
  const { words, fixed } = compileLabel(label, scope, open, close)
  if (words === null) {
    const draw = wrapPiece(texts)(fixed.html, '')
    return asLine(draw, fixed.name, oneLineList)
  }
  return pass => {
    const { out, anchors } = pass
    const links = anchors.length
    // The texts are drawn first: without texts the label is left out.
    const inner = drawSeparately(pass, texts)
    if (inner === null) return false
    const textLine = oneLineList(pass.tokenText)
    // The anchors must be in the order of the HTML: those of the label, then those of the texts.
    const textAnchors = anchors.splice(links)
    const hasWords = words(pass)
    if (!hasWords) addConstant(out, fixed.html)
    pass.text += (hasWords ? nameOf(pass.tokenText) : fixed.name) + textLine
    anchors.push(...textAnchors)
    addValue(out, inner)
    return true
  }
}

/** Joins several lines with commas. */
const oneLineList = (words: string): string => (words.includes('\n') ? words.replaceAll('\n', ', ') : words)

const hasLetter = /\p{L}/u

/** The start of a line of plain text: `Phone:` becomes `Phone: ` after a line break, and bullets and numbers stay bare. */
function nameOf(label: string): string {
  const name = label.trim().replace(/:$/, '')
  if (name === '') return '\n'
  return hasLetter.test(name) ? `\n${name}: ` : `\n${name} `
}

/** Draws the words, and something in their place when they are empty: the cell stays, so that the texts line up. */
function compileLabel(
  { icon, color, tokens = [] }: ListItemLabel,
  scope: PieceScope,
  open: string,
  close: string,
) {
  const labelColor = hex(color)
  const draw = compileTokens(tokens, scope, labelColor ? { color: labelColor } : {})
  return {
    words: tokens.length === 0 ? null : draw(open, close),
    fixed: { html: open + close, name: nameOf(icon ? iconLabel(icon) : '') },
  }
}

export const listBlock: BlockType<List> = {
  schema: ListSchema,
  compile: compileList,
  styles: ['gap', 'width', 'align'],
}

export const listItemPart: PartType = {
  schema: ItemSchema,
  styles: ['gap'],
  // Between the texts of an item; most have one.
  ignoresStyle: ({ children = [] }, key) =>
    key === 'gap' && children.filter(({ type }) => type === 'text').length <= 1,
}

export const listItemLabelPart: PartType = { schema: LabelSchema, styles: ['width', 'align'] }
