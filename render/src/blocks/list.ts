import { type Static, Type } from 'typebox'
import { hex } from '../colors.ts'
import { blockSchema, blocksOf, Color, directions, OneOf } from '../fields.ts'
import { iconLabel, iconNames } from '../icons.ts'
import { cellOpen, columnRows, firstThenNext, spacer, table } from '../layout.ts'
import { addConstant } from '../output.ts'
import { around, type Draw, nothing, type Piece, type Scope } from '../piece.ts'
import { addEdges, boxOf, type Edges, noEdges } from '../style.ts'
import { compileTokens, lineCss, Token } from '../tokens.ts'
import { iconImage } from './icon.ts'
import { asLine, compileWords, type Text } from './text.ts'

export const LabelSchema = blockSchema('listItemLabel', {
  tokens: Type.Optional(Type.Array(Token)),
  icon: Type.Optional(OneOf(iconNames)),
  color: Type.Optional(Color()),
})
export type ListItemLabel = Static<typeof LabelSchema>

const itemFields = {}
const ItemFields = blockSchema('listItem', itemFields)
export interface ListItem extends Static<typeof ItemFields> {
  readonly children: readonly (ListItemLabel | Text)[]
}
export const ItemSchema = blockSchema('listItem', {
  children: blocksOf<ListItemLabel | Text>(['listItemLabel', 'text'], { minItems: 1, maxItems: 500 }),
})

const listFields = { direction: Type.Optional(OneOf(directions)) }
const ListFields = blockSchema('list', listFields)
export interface List extends Static<typeof ListFields> {
  readonly children?: readonly ListItem[]
}
export const ListSchema = blockSchema('list', {
  ...listFields,
  children: Type.Optional(blocksOf<ListItem>(['listItem'])),
})

const labelIconSize = 16
const labelGap = 8

/** Labels in a column of their own, so that the texts line up. An item without texts goes, label and all. */
export function compileList(list: List, scope: Scope): Piece {
  const { direction = 'column', blockStyle } = list
  const isRow = direction === 'row'
  const shown = (list.children ?? []).filter(item => item.visible !== false)
  const hasLabels = shown.some(item => labelOf(item) !== undefined)
  const gap = blockStyle?.gap ?? (isRow ? 16 : 4)
  const items = shown.map(item => ({
    first: compileItem(item, scope, noEdges, hasLabels)(isRow ? '' : '<tr>', isRow ? '' : '</tr>'),
    next: isRow
      ? compileItem(item, scope, noEdges, hasLabels)(spacer(gap), '')
      : compileItem(item, scope, [gap, 0, 0, 0], hasLabels)('<tr>', '</tr>'),
  }))
  const rows = firstThenNext(items)
  return {
    box: boxOf(blockStyle, { align: blockStyle?.align ?? scope.align, width: undefined }),
    bind: table(isRow ? around(rows)('<tr>', '</tr>') : rows, blockStyle?.width),
  }
}

const isLabel = (child: ListItemLabel | Text): child is ListItemLabel => child.type === 'listItemLabel'
const labelOf = ({ children }: ListItem): ListItemLabel | undefined =>
  children.filter(isLabel).find(label => label.visible !== false)

function compileItem(item: ListItem, scope: Scope, gap: Edges, hasLabels: boolean): Piece['bind'] {
  const label = labelOf(item)
  const texts = item.children.filter(child => !isLabel(child) && child.visible !== false) as readonly Text[]
  const { box, bind } = inOneCell(
    texts.map(text => compileWords(text, scope)),
    item,
    scope,
  )
  const own = boxOf(item.blockStyle)
  const edges = addEdges(addEdges(own.margin, own.padding), gap)
  const [top, right, bottom, left] = edges
  const cell = cellOpen({
    padding: addEdges(label ? [top, right, bottom, 0] : edges, addEdges(box.margin, box.padding)),
    background: box.background ?? own.background,
    align: box.align === 'left' ? undefined : box.align,
    valign: 'top',
    css: box.css,
  })
  if (!label) {
    const alone = hasLabels ? cell.replace('<td', '<td colspan="2"') : cell
    return (open, close) => asLine(bind(open + alone, `</td>${close}`))
  }
  const start = cellOpen({
    padding: addEdges([top, labelGap, bottom, left], boxOf(label.blockStyle).padding),
    background: own.background,
    valign: 'top',
    css: label.tokens ? lineCss(label.tokens) : '',
  })
  return (open, close) =>
    compileLabelled(label, scope, [open + start, `</td>${cell}`], bind('', `</td>${close}`))
}

/** One text stands in the cell itself; of several, a column whose words are told in one line. */
function inOneCell(pieces: readonly Piece[], item: ListItem, scope: Scope): Piece {
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
    pass.words = pass.text.slice(2)
    pass.text = text
    return isDrawn
  }
  return { box: boxOf(), bind: table(collected) }
}

/** The label goes when no text follows it. In plain text `label: value`, on one line. */
function compileLabelled(
  label: ListItemLabel,
  scope: Scope,
  [open, close]: readonly [string, string],
  texts: Draw,
): Draw {
  const { words, fixed } = compileLabel(label, scope, open, close)
  return pass => {
    const { out, anchors } = pass
    const { html, glue } = out
    const links = anchors.length
    const isTold = words(pass)
    if (!isTold) addConstant(out, fixed.html)
    const name = isTold ? nameOf(pass.words) : fixed.name
    if (!texts(pass)) {
      out.html = html
      out.glue = glue
      anchors.length = links
      return false
    }
    pass.text += name + (pass.words.includes('\n') ? pass.words.replaceAll('\n', ', ') : pass.words)
    return true
  }
}

/** `Phone:` as `Phone: `, on a line of its own. */
function nameOf(label: string): string {
  const name = label.trim().replace(/:$/, '')
  return name === '' ? '\n' : `\n${name}: `
}

/** Words, and what stands where they have nothing to say: the cell stays, for the texts to line up. */
function compileLabel(
  { icon, color, tokens = [] }: ListItemLabel,
  scope: Scope,
  open: string,
  close: string,
) {
  const given = hex(color)
  const image = icon ? iconImage(icon, { size: labelIconSize, color }, '', scope) : ''
  const draw = compileTokens(tokens, scope, given ? { color: given } : {})
  return {
    words: tokens.length === 0 ? nothing() : draw(open + image, close),
    fixed: { html: open + image + close, name: nameOf(icon ? iconLabel(icon) : '') },
  }
}
