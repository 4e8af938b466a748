// Places pieces in a column or a row, as cells of one table. A piece with nothing to show leaves no cell and no gap.
import type { Align } from './fields.ts'
import { spacerCss, tableOpen } from './html.ts'
import { wrapPiece } from './piece.ts'
import {
  addEdges,
  type Box,
  type CardBorder,
  type Edges,
  hasEdges,
  noEdges,
  paddingCss,
  px,
} from './style/style.ts'
import type { Draw, Piece } from './types.ts'

type VerticalAlign = 'top' | 'middle' | 'bottom'

interface Cell {
  readonly padding: Edges
  readonly background?: string | undefined
  /** With padding and border. */
  readonly width?: number | undefined
  readonly height?: number
  readonly align?: Align | undefined
  readonly valign?: VerticalAlign | undefined
  readonly frame?: CardBorder | undefined
  readonly css?: string
}

/**
 * Widths are on cells, not on tables: a table with a cell of 480 px becomes narrower on a phone, a table of 480 px does
 * not. Browsers add the padding to the width of the CSS; Word takes the attribute, with the padding.
 */
export function cellOpen({
  padding,
  background,
  width,
  height,
  align,
  valign,
  frame,
  css = '',
}: Cell): string {
  const attributes = [
    width === undefined ? '' : ` width="${Math.round(width)}"`,
    height === undefined ? '' : ` height="${height}"`,
    align ? ` align="${align}"` : '',
    valign ? ` valign="${valign}"` : '',
    background ? ` bgcolor="${background}"` : '',
  ]
  const styles = [
    paddingCss(padding),
    width === undefined ? '' : `width:${innerWidth(width, padding, frame)}px`,
    valign ? `vertical-align:${valign}` : '',
    background ? `background-color:${background}` : '',
    frame ? frame.css : '',
    css,
  ]
  return `<td${attributes.join('')} style="${styles.filter(style => style !== '').join(';')}">`
}

const innerWidth = (width: number, [, right, , left]: Edges, frame: CardBorder | undefined): number =>
  Math.max(1, Math.round(width - left - right - (frame ? frame.width * 2 : 0)))

/** The HTML before and after the content of a cell. */
export type CellEnds = readonly [open: string, close: string]

/** The width of a table: pixels, `all` for 100 %, or undefined for the width of its content. */
export type TableWidth = number | 'all' | undefined

const openTable = (size: TableWidth, frame?: CardBorder): string =>
  tableOpen(
    size === 'all' ? ' width="100%"' : '',
    size === 'all' ? 'width:100%' : '',
    // Browsers draw round corners only where borders are separate.
    frame ? 'separate' : 'collapse',
  )

/** A table with one cell. */
const tableCell = (cell: Cell, size: TableWidth): CellEnds => [
  `${openTable(size, cell.frame)}<tr>${cellOpen(typeof size === 'number' ? { ...cell, width: size } : cell)}`,
  '</td></tr></table>',
]

/** A cell inside a table inside a cell, for combinations that one cell cannot express. */
export function nestedCell(outer: Cell, inner: Cell, size?: TableWidth): CellEnds {
  const [open, close] = tableCell(inner, size)
  return [cellOpen(outer) + open, `${close}</td>`]
}

/** Undefined (no attribute) when the cell is aligned left and inherits that. */
const alignIn = (box: Box, inherited: Align): Align | undefined => {
  const align = box.align ?? inherited
  return align === 'left' && inherited === 'left' ? undefined : align
}

function columnCell(box: Box, gap: number, inherited: Align, columnWidth?: number): CellEnds {
  const align = alignIn(box, inherited)
  const outside = addEdges(box.margin, [gap, 0, 0, 0])
  const { padding, background, width, css } = box
  // In a single cell, the background would also cover the margin, and the width would apply to the whole column.
  if ((background && hasEdges(outside)) || width !== undefined)
    return nestedCell(
      { padding: outside, align, width: columnWidth },
      { padding, background, align, css },
      width ?? 'all',
    )
  return [
    cellOpen({ padding: addEdges(outside, padding), background, align, css, width: columnWidth }),
    '</td>',
  ]
}

function rowCell(box: Box, inherited: Align, valign: VerticalAlign): CellEnds {
  const align = alignIn(box, inherited)
  const { margin, padding, background, width, css } = box
  const edges = addEdges(margin, padding)
  const isHigh = edges[0] > 0 || edges[2] > 0
  const outerWidth = width === undefined ? undefined : width + margin[1] + margin[3]
  if (!isHigh && !(background && hasEdges(margin)))
    return [cellOpen({ padding: edges, background, width: outerWidth, align, valign, css }), '</td>']
  // Word gives all cells of a row the largest vertical padding among them, so vertical padding goes into a nested
  // table.
  const outer = { padding: noEdges, width: outerWidth, align, valign }
  return insideCell(cellOpen(outer), box, align, background ? 'all' : undefined)
}

/** The margin and the padding of a box in tables inside a cell that is open. */
function insideCell(open: string, box: Box, align: Align | undefined, size: TableWidth): CellEnds {
  const { margin, padding, background, css } = box
  if (!background || !hasEdges(margin)) {
    const [start, end] = tableCell({ padding: addEdges(margin, padding), background, align, css }, size)
    return [open + start, `${end}</td>`]
  }
  const [start, end] = tableCell({ padding, background, align, css }, 'all')
  const [outerStart, outerEnd] = tableCell({ padding: margin, align }, size)
  return [open + outerStart + start, `${end}${outerEnd}</td>`]
}

/**
 * A column of a row that wraps. Browsers place it like a word in a line; Word ignores `display` and has a table cell. The
 * gap below is for a column that comes to stand below.
 */
function wrapCell(box: Box, right: number, below: number, inherited: Align, valign: VerticalAlign): CellEnds {
  const align = alignIn(box, inherited)
  const { margin, padding, background, width, css } = box
  const outer: Cell = { padding: [0, right, below, 0], align, valign, css: 'display:inline-block' }
  if (width === undefined && background === undefined && !hasEdges(addEdges(margin, padding)))
    return [cellOpen({ ...outer, css: `${outer.css}${css && `;${css}`}` }), '</td>']
  const size = width === undefined ? undefined : width + margin[1] + margin[3]
  return insideCell(cellOpen(outer), box, align, size)
}

export interface Layout {
  readonly pieces: readonly Piece[]
  readonly gap: number
  readonly align: Align
}

/** The rows of a table, without the table. The width is that of the table. */
export function columnRows({
  pieces,
  gap,
  align,
  width,
}: Layout & { readonly width?: number | undefined }): Draw {
  const cells = pieces.map(({ bind, box, isDivider }, index) => {
    const spaceBefore = pieces[index - 1]?.spaceBelow ?? 0
    const [first, close] = columnCell(box, 0, align, width)
    const [next, closeNext] = columnCell(box, Math.max(0, gap - spaceBefore), align)
    return {
      first: bind(`<tr>${first}`, `${close}</tr>`),
      next: bind(`<tr>${next}`, `${closeNext}</tr>`),
      isDivider,
    }
  })
  return firstThenNext(cells)
}

interface GapCell {
  readonly first: Draw
  readonly next: Draw
  readonly isDivider?: boolean | undefined
}

/**
 * Draws cells. The first cell that has something to show is drawn without a gap before it; the following ones with a
 * gap. Dividers are left out when no other cell has something to show.
 */
export function firstThenNext(cells: readonly GapCell[]): Draw {
  const isDivider = cells.map(cell => cell.isDivider === true)
  if (isDivider.includes(true) && isDivider.includes(false)) return withDividers(cells)
  const [firsts, nexts, count] = [cells.map(cell => cell.first), cells.map(cell => cell.next), cells.length]
  return pass => {
    let isAnyDrawn = false
    for (let n = 0; n < count; n++) if (((isAnyDrawn ? nexts : firsts)[n] as Draw)(pass)) isAnyDrawn = true
    return isAnyDrawn
  }
}

function withDividers(cells: readonly GapCell[]): Draw {
  return pass => {
    const { out, text } = pass
    const { html, pendingConstants } = out
    let isAnyDrawn = false
    let isContentDrawn = false
    for (const { first, next, isDivider } of cells) {
      if (!(isAnyDrawn ? next : first)(pass)) continue
      isAnyDrawn = true
      if (!isDivider) isContentDrawn = true
    }
    if (isContentDrawn) return true
    out.html = html
    out.pendingConstants = pendingConstants
    pass.text = text
    return false
  }
}

/** An empty cell of this width. */
export const spacer = (width: number): string =>
  `<td width="${Math.round(width)}" style="padding:0;width:${px(width)};${spacerCss}">&nbsp;</td>`

type Row = Layout & { readonly valign: VerticalAlign }

/** One row of a table, without the table. */
export function rowCells({ pieces, gap, align, valign }: Row): Draw {
  const between = gap > 0 ? spacer(gap) : ''
  const cells = pieces.map(({ bind, box, ownCell, isDivider }) => {
    const [open, close] = ownCell ? ['', ''] : rowCell(box, align, valign)
    return { first: bind(open, close), next: bind(between + open, close), isDivider }
  })
  return wrapPiece(firstThenNext(cells))('<tr>', '</tr>')
}

/**
 * A row whose columns stand below each other where the mail is narrower than they are. Vertical dividers are left out:
 * a cell of a table between the columns would keep them side by side.
 */
export function wrappingCells({ pieces, gap, align, valign }: Row): Draw {
  const columns = pieces.filter(({ ownCell }) => !ownCell)
  const cells = columns.map(({ bind, box, isDivider }, index) => {
    const right = index === columns.length - 1 ? 0 : gap
    const draw = bind(...wrapCell(box, right, gap, align, valign))
    return { first: draw, next: draw, isDivider }
  })
  return wrapPiece(firstThenNext(cells))('<tr>', '</tr>')
}

/** A table around rows; nothing when the rows are empty. */
export const wrapInTable = (rows: Draw, size?: 'all'): Piece['bind'] => {
  const start = openTable(size)
  return (open, close) => wrapPiece(rows)(open + start, `</table>${close}`)
}

/** A table with one cell around a piece. */
export const wrapInCell = (bindInner: Piece['bind'], cell: Cell, size?: TableWidth): Piece['bind'] => {
  const [start, end] = tableCell(cell, size)
  return (open, close) => bindInner(open + start, end + close)
}
