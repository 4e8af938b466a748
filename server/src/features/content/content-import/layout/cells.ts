// Reads the rows and cells of a table, and places them in its grid.

import type { ComputedBox, ComputedStyle, ComputedText, FourSides } from '../html/computed-style.ts'
import { attributeOf, type HtmlElement, isHtmlElement } from '../html/parse.ts'
import { padded } from './box.ts'
import type { FlowResult } from './flow.ts'
import type { GridCell } from './grid.ts'

/** A picture that cannot be loaded leaves no hole: its cell has no size of its own. */
interface CellContent extends FlowResult {
  readonly hasLostPicture: boolean
}

/** The walk through the document, for a table. */
export interface InsideTable {
  /** Null when the element is hidden. */
  readonly styleOf: (element: HtmlElement, parent: ComputedText) => ComputedStyle | null
  /** `available` is the width inside the cell, where it is known. */
  readonly contentOf: (
    element: HtmlElement,
    style: ComputedStyle,
    available: number | undefined,
  ) => Promise<CellContent>
}

/** Larger tables are no layout of a signature. */
const maxCells = 1_500
const maxColumns = 60

interface RowElement {
  readonly element: HtmlElement
  readonly style: ComputedStyle
}

function rowsOf(table: HtmlElement, style: ComputedText, { styleOf }: InsideTable): RowElement[] {
  const rows: RowElement[] = []
  for (const child of table.childNodes) {
    if (!isHtmlElement(child) || !['tbody', 'thead', 'tfoot', 'tr'].includes(child.tagName)) continue
    const own = styleOf(child, style)
    if (own === null) continue
    if (child.tagName === 'tr') rows.push({ element: child, style: own })
    else
      for (const row of child.childNodes) {
        const rowStyle = isHtmlElement(row) && row.tagName === 'tr' ? styleOf(row, own.text) : null
        if (rowStyle) rows.push({ element: row as HtmlElement, style: rowStyle })
      }
  }
  return rows
}

const span = (element: HtmlElement, name: 'colspan' | 'rowspan', most: number): number => {
  const number = Number.parseInt(attributeOf(element, name) ?? '1', 10)
  return Math.min(most, Math.max(1, Number.isNaN(number) ? 1 : number))
}

interface ReadTable {
  readonly cells: readonly GridCell[]
  readonly rows: number
  readonly columns: number
}

/** The cells in their grid, or only their content when the table is too large for a layout. */
export async function readCells(
  table: HtmlElement,
  style: ComputedStyle,
  inside: InsideTable,
): Promise<ReadTable | { readonly tooLarge: readonly FlowResult[] }> {
  const rows = rowsOf(table, style.text, inside)
  const all = rows.map(row => ({
    row,
    cells: row.element.childNodes.filter(
      (node): node is HtmlElement => isHtmlElement(node) && (node.tagName === 'td' || node.tagName === 'th'),
    ),
  }))
  const count = all.reduce((sum, { cells }) => sum + cells.length, 0)
  const widest = Math.max(
    0,
    ...all.map(({ cells }) => cells.reduce((sum, cell) => sum + span(cell, 'colspan', 99), 0)),
  )
  const cellPadding = Number.parseFloat(attributeOf(table, 'cellpadding') ?? '0') || 0
  const build = async (element: HtmlElement, row: RowElement, isOnly = false) => {
    const own = inside.styleOf(element, row.style.text)
    if (own === null) return null
    const sides = paddingIn(own.box, cellPadding)
    const all = isOnly && style.box.width !== undefined ? style.box.width - sides[1] - sides[3] : undefined
    return { own, result: await inside.contentOf(element, own, widthIn(own.box, style.box) ?? all) }
  }
  const results: FlowResult[] = []
  const cells: GridCell[] = []
  /** For each column, the first row that no cell above reaches into. */
  const freeFrom: number[] = []
  const isTooLarge = () => count > maxCells || widest > maxColumns || freeFrom.length > maxColumns
  for (const [row, entry] of all.entries()) {
    let column = 0
    for (const element of entry.cells) {
      const built = await build(element, entry.row, entry.cells.length === 1)
      if (built === null) continue
      results.push(built.result)
      if (isTooLarge()) continue
      while ((freeFrom[column] ?? 0) > row) column++
      const columns = span(element, 'colspan', maxColumns)
      const rowCount = span(element, 'rowspan', all.length - row)
      const position = { row, column, rows: rowCount, columns }
      cells.push(
        cellOf(built.own, built.result, position, {
          cellPadding,
          table: style.box,
          row: entry.row.style.box,
        }),
      )
      for (let at = column; at < column + columns; at++) freeFrom[at] = row + rowCount
      column += columns
    }
  }
  if (isTooLarge()) return { tooLarge: results }
  return { cells, rows: all.length, columns: freeFrom.length }
}

function paddingIn(box: ComputedBox, cellPadding: number): FourSides<number> {
  const all = Math.max(0, Math.min(200, cellPadding))
  return box.hasPadding ? box.padding : [all, all, all, all]
}

/** The width that a cell gives itself, in pixels or as a part of the table. */
const widthIn = (box: ComputedBox, table: ComputedBox): number | undefined =>
  box.width ??
  (box.widthPercent !== undefined && table.width !== undefined
    ? (table.width * box.widthPercent) / 100
    : undefined)

interface Around {
  readonly cellPadding: number
  readonly table: ComputedBox
  readonly row: ComputedBox
}

function cellOf(
  { box }: ComputedStyle,
  { drafts, top, bottom, hasLostPicture }: CellContent,
  position: Pick<GridCell, 'row' | 'column' | 'rows' | 'columns'>,
  { cellPadding, table, row }: Around,
): GridCell {
  const isHole = hasLostPicture && drafts.length === 0
  const padding: FourSides<number> = isHole ? [0, 0, 0, 0] : paddingIn(box, cellPadding)
  const background = box.background ?? row.background
  const width = isHole ? undefined : widthIn(box, table)
  return {
    ...position,
    drafts: padded(drafts, [top, 0, bottom, 0]),
    box: { ...box, background, width },
    padding,
    blank: drafts.length === 0 ? top : 0,
    height: isHole
      ? 0
      : Math.min(600, Math.max(box.height ?? 0, position.rows === 1 ? (row.height ?? 0) : 0)),
    width: width !== undefined && width > 0 && width <= 2_000 ? width : undefined,
    border: [...box.border],
    verticalAlign: box.verticalAlign ?? row.verticalAlign ?? 'middle',
  }
}
