// Places pieces in a column or a row, as cells of one table. A piece with nothing to show leaves no cell and no gap.
import type { Align } from './fields.ts'
import { spacerCss, tableOpen } from './html.ts'
import { wrapPiece } from './piece.ts'
import { addEdges, type Box, type Edges, hasEdges, noEdges, paddingCss, px } from './style.ts'
import type { Draw, Piece } from './types.ts'

type VerticalAlign = 'top' | 'middle' | 'bottom'

interface Cell {
  readonly padding: Edges
  readonly background?: string | undefined
  readonly width?: number | undefined
  readonly align?: Align | undefined
  readonly valign?: VerticalAlign | undefined
  readonly css?: string
}

export const widthAttribute = (width: number | undefined): string =>
  width === undefined ? '' : ` width="${Math.round(width)}"`
export const widthCss = (width: number | undefined): string =>
  width === undefined ? '' : `width:${Math.round(width)}px`

export function cellOpen({ padding, background, width, align, valign, css = '' }: Cell): string {
  const attributes = [
    widthAttribute(width),
    align ? ` align="${align}"` : '',
    valign ? ` valign="${valign}"` : '',
    background ? ` bgcolor="${background}"` : '',
  ]
  const styles = [
    paddingCss(padding),
    widthCss(width),
    valign ? `vertical-align:${valign}` : '',
    background ? `background-color:${background}` : '',
    css,
  ]
  return `<td${attributes.join('')} style="${styles.filter(style => style !== '').join(';')}">`
}

/** The HTML before and after the content of a cell. */
export type CellEnds = readonly [open: string, close: string]

/** The width of a table: pixels, `all` for 100 %, or undefined for the width of its content. */
type TableWidth = number | 'all' | undefined
const openTable = (size: TableWidth): string =>
  size === 'all' ? tableOpen(' width="100%"', 'width:100%') : tableOpen(widthAttribute(size), widthCss(size))

/** A cell inside a table inside a cell, for combinations that one cell cannot express. */
export const nestedCell = (outer: Cell, inner: Cell, size?: TableWidth): CellEnds => [
  `${cellOpen(outer)}${openTable(size)}<tr>${cellOpen(inner)}`,
  '</td></tr></table></td>',
]

/** Undefined (no attribute) when the cell is aligned left and inherits that. */
const alignIn = (box: Box, inherited: Align): Align | undefined => {
  const align = box.align ?? inherited
  return align === 'left' && inherited === 'left' ? undefined : align
}

function columnCell(box: Box, gap: number, inherited: Align): CellEnds {
  const align = alignIn(box, inherited)
  const outside = addEdges(box.margin, [gap, 0, 0, 0])
  const { padding, background, width, css } = box
  // In a single cell, the background would also cover the margin, and the width would apply to the whole column.
  if ((background && hasEdges(outside)) || width !== undefined)
    return nestedCell({ padding: outside, align }, { padding, background, align, css }, width ?? 'all')
  return [cellOpen({ padding: addEdges(outside, padding), background, align, css }), '</td>']
}

/** The width that is left for the content inside the edges. */
export const innerWidth = (width: number | undefined, [, right, , left]: Edges): number | undefined =>
  width === undefined ? undefined : Math.max(1, width - left - right)

function rowCell(box: Box, inherited: Align, valign: VerticalAlign): CellEnds {
  const align = alignIn(box, inherited)
  const { margin, padding, background, width, css } = box
  const edges = addEdges(margin, padding)
  const isHigh = edges[0] > 0 || edges[2] > 0
  if (!isHigh && !(background && hasEdges(margin)))
    return [
      cellOpen({ padding: edges, background, width: innerWidth(width, padding), align, valign, css }),
      '</td>',
    ]
  // Word gives all cells of a row the largest vertical padding among them, so vertical padding goes into a nested
  // table.
  const size = width ?? (background ? 'all' : undefined)
  const outer = { padding: noEdges, width, align, valign }
  if (!background) return nestedCell(outer, { padding: edges, align, css }, size)
  if (!hasEdges(margin)) return nestedCell(outer, { padding, background, align, css }, size)
  const [open, close] = nestedCell({ padding: margin, align }, { padding, background, align, css }, 'all')
  return [`${cellOpen(outer)}${openTable(size)}<tr>${open}`, `${close}</tr></table></td>`]
}

export interface Layout {
  readonly pieces: readonly Piece[]
  readonly gap: number
  readonly align: Align
}

/** The rows of a table, without the table. */
export function columnRows({ pieces, gap, align }: Layout): Draw {
  const cells = pieces.map(({ bind, box }) => {
    const [first, close] = columnCell(box, 0, align)
    const [next, closeNext] = columnCell(box, gap, align)
    return { first: bind(`<tr>${first}`, `${close}</tr>`), next: bind(`<tr>${next}`, `${closeNext}</tr>`) }
  })
  return firstThenNext(cells)
}

/**
 * Draws cells. The first cell that has something to show is drawn without a gap before it; the following ones with a
 * gap.
 */
export function firstThenNext(cells: readonly { readonly first: Draw; readonly next: Draw }[]): Draw {
  const [firsts, nexts, count] = [cells.map(cell => cell.first), cells.map(cell => cell.next), cells.length]
  return pass => {
    let isAnyDrawn = false
    for (let n = 0; n < count; n++) if (((isAnyDrawn ? nexts : firsts)[n] as Draw)(pass)) isAnyDrawn = true
    return isAnyDrawn
  }
}

/** An empty cell of this width. */
export const spacer = (width: number): string =>
  `<td width="${Math.round(width)}" style="padding:0;width:${px(width)};${spacerCss}">&nbsp;</td>`

/** One row of a table, without the table. */
export function rowCells({ pieces, gap, align, valign }: Layout & { readonly valign: VerticalAlign }): Draw {
  const between = gap > 0 ? spacer(gap) : ''
  const cells = pieces.map(({ bind, box, ownCell }) => {
    const [open, close] = ownCell ? ['', ''] : rowCell(box, align, valign)
    return { first: bind(open, close), next: bind(between + open, close) }
  })
  return wrapPiece(firstThenNext(cells))('<tr>', '</tr>')
}

/** A table around rows; nothing when the rows are empty. */
export const wrapInTable = (rows: Draw, width?: number): Piece['bind'] => {
  const start = tableOpen(widthAttribute(width), widthCss(width))
  return (open, close) => wrapPiece(rows)(open + start, `</table>${close}`)
}

/** A table with one cell around a piece. */
export const wrapInCell = (bindInner: Piece['bind'], cell: Cell, width?: number): Piece['bind'] => {
  const start = `${tableOpen(widthAttribute(width), widthCss(width))}<tr>${cellOpen(cell)}`
  return (open, close) => bindInner(open + start, `</td></tr></table>${close}`)
}
