// Pieces in a column or a row, as cells of one table. What is not drawn leaves no cell and no gap.
import type { Align } from './fields.ts'
import { hollow, tableOpen } from './html.ts'
import { around, type Draw, type Piece } from './piece.ts'
import { addEdges, type Box, type Edges, hasEdges, noEdges, paddingCss, px } from './style.ts'

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

/** Both ends of a cell; a nested one keeps apart what one cell cannot hold. */
type Ends = readonly [open: string, close: string]

const nested = (outer: Cell, inner: Cell, width?: number): Ends => [
  `${cellOpen(outer)}${tableOpen(widthAttribute(width), widthCss(width))}<tr>${cellOpen(inner)}`,
  '</td></tr></table></td>',
]

/** An alignment is only said where it differs from what would be inherited. */
const alignIn = (box: Box, around: Align): Align | undefined => {
  const own = box.align ?? around
  return own === 'left' && around === 'left' ? undefined : own
}

function columnCell(box: Box, gap: number, around: Align): Ends {
  const align = alignIn(box, around)
  const outside = addEdges(box.margin, [gap, 0, 0, 0])
  const { background, width, css } = box
  // Within one cell the background would cover the margin, and a width would be everybody's.
  if ((background && hasEdges(outside)) || width !== undefined)
    return nested({ padding: outside, align }, { padding: box.padding, background, width, css }, width)
  return [cellOpen({ padding: addEdges(outside, box.padding), background, align, css }), '</td>']
}

function rowCell(box: Box, around: Align, valign: VerticalAlign): Ends {
  const align = alignIn(box, around)
  const edges = addEdges(box.margin, box.padding)
  const { background, width, css } = box
  // Word gives all cells of a row the largest vertical padding among them.
  if (edges[0] > 0 || edges[2] > 0 || (background && hasEdges(box.margin))) {
    const inner = background ? box.padding : edges
    const outer = background ? box.margin : noEdges
    if (outer[0] > 0 || outer[2] > 0)
      return nestedTwice(
        { padding: noEdges, width, align, valign },
        { padding: outer },
        { padding: inner, background, css },
      )
    return nested({ padding: outer, width, align, valign }, { padding: inner, background, css })
  }
  return [cellOpen({ padding: edges, background, width, align, valign, css }), '</td>']
}

function nestedTwice(outer: Cell, middle: Cell, inner: Cell): Ends {
  const [open, close] = nested(middle, inner)
  return [`${cellOpen(outer)}${tableOpen()}<tr>${open}`, `${close}</tr></table></td>`]
}

export interface Layout {
  readonly pieces: readonly Piece[]
  readonly gap: number
  readonly align: Align
}

/** Rows of one table, without the table. */
export function columnRows({ pieces, gap, align }: Layout): Draw {
  const cells = pieces.map(({ bind, box }) => {
    const [first, close] = columnCell(box, 0, align)
    const [next, closeNext] = columnCell(box, gap, align)
    return { first: bind(`<tr>${first}`, `${close}</tr>`), next: bind(`<tr>${next}`, `${closeNext}</tr>`) }
  })
  return firstThenNext(cells)
}

/** The first that is drawn has no gap before it; whichever that is. */
export function firstThenNext(cells: readonly { readonly first: Draw; readonly next: Draw }[]): Draw {
  const [firsts, nexts, count] = [cells.map(cell => cell.first), cells.map(cell => cell.next), cells.length]
  return pass => {
    let any = false
    for (let n = 0; n < count; n++) if (((any ? nexts : firsts)[n] as Draw)(pass)) any = true
    return any
  }
}

/** An empty cell of this width. */
export const spacer = (width: number): string =>
  `<td width="${Math.round(width)}" style="padding:0;width:${px(width)};${hollow}">&nbsp;</td>`

/** One row of one table, without the table. */
export function rowCells({ pieces, gap, align, valign }: Layout & { readonly valign: VerticalAlign }): Draw {
  const between = gap > 0 ? spacer(gap) : ''
  const cells = pieces.map(({ bind, box, ownCell }) => {
    const [open, close] = ownCell ? ['', ''] : rowCell(box, align, valign)
    return { first: bind(open, close), next: bind(between + open, close) }
  })
  return around(firstThenNext(cells))('<tr>', '</tr>')
}

/** A table around rows, or nothing around nothing. */
export const table = (rows: Draw, width?: number): Piece['bind'] => {
  const start = tableOpen(widthAttribute(width), widthCss(width))
  return (open, close) => around(rows)(open + start, `</table>${close}`)
}

/** A table of one cell around a piece. */
export const boxed = (inside: Piece['bind'], cell: Cell, width?: number): Piece['bind'] => {
  const start = `${tableOpen(widthAttribute(width), widthCss(width))}<tr>${cellOpen(cell)}`
  return (open, close) => inside(open + start, `</td></tr></table>${close}`)
}
