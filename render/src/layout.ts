// Pieces in a column or a row, as cells of one table. What is not drawn leaves no cell and no gap.
import type { Align } from './fields.ts'
import { hollow, tableOpen } from './html.ts'
import { around } from './piece.ts'
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

/** Both ends of a cell; a nested one keeps apart what one cell cannot hold. */
export type Ends = readonly [open: string, close: string]

/** Of a table: pixels, all there is, or as much as it takes. */
type Size = number | 'all' | undefined
const sized = (size: Size): string =>
  size === 'all' ? tableOpen(' width="100%"', 'width:100%') : tableOpen(widthAttribute(size), widthCss(size))

export const nested = (outer: Cell, inner: Cell, size?: Size): Ends => [
  `${cellOpen(outer)}${sized(size)}<tr>${cellOpen(inner)}`,
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
  const { padding, background, width, css } = box
  // Within one cell the background would cover the margin, and a width would be everybody's.
  if ((background && hasEdges(outside)) || width !== undefined)
    return nested({ padding: outside, align }, { padding, background, align, css }, width ?? 'all')
  return [cellOpen({ padding: addEdges(outside, padding), background, align, css }), '</td>']
}

/** What is left of a width for the content. */
export const within = (width: number | undefined, [, right, , left]: Edges): number | undefined =>
  width === undefined ? undefined : Math.max(1, width - left - right)

function rowCell(box: Box, around: Align, valign: VerticalAlign): Ends {
  const align = alignIn(box, around)
  const { margin, padding, background, width, css } = box
  const edges = addEdges(margin, padding)
  const isHigh = edges[0] > 0 || edges[2] > 0
  if (!isHigh && !(background && hasEdges(margin)))
    return [
      cellOpen({ padding: edges, background, width: within(width, padding), align, valign, css }),
      '</td>',
    ]
  // Word gives all cells of a row the largest vertical padding among them: it goes into a table of its own.
  const size = width ?? (background ? 'all' : undefined)
  const outer = { padding: noEdges, width, align, valign }
  if (!background) return nested(outer, { padding: edges, align, css }, size)
  if (!hasEdges(margin)) return nested(outer, { padding, background, align, css }, size)
  const [open, close] = nested({ padding: margin, align }, { padding, background, align, css }, 'all')
  return [`${cellOpen(outer)}${sized(size)}<tr>${open}`, `${close}</tr></table></td>`]
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
