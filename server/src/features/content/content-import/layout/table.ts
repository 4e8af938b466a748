// Tables as rows and columns.

import type { ComputedStyle } from '../html/computed-style.ts'
import type { HtmlElement } from '../html/parse.ts'
import type { ImportNotes } from '../notes.ts'
import { dividerDraft } from './box.ts'
import {
  alignOfDraft,
  cellDrafts,
  columnWidth,
  estimatedWidth,
  givenWidth,
  hasSideLine,
  lineOf,
  rowAlignOf,
  sizedCell,
  widthOfEmptyCell,
  withHeight,
} from './cell-sizes.ts'
import { type InsideTable, readCells } from './cells.ts'
import { addMargin, asOneDraft } from './draft.ts'
import { Flow, type FlowResult } from './flow.ts'
import {
  bandsOf,
  columnsOf,
  type GridCell,
  groupsOf,
  isEmptyCell,
  joinBands,
  type Region,
  takeSideLine,
} from './grid.ts'
import { labelledList } from './labels.ts'
import { Row } from './row.ts'

/** The content of a table, without its own box. */
export async function tableFlow(
  table: HtmlElement,
  style: ComputedStyle,
  inside: InsideTable,
  notes: ImportNotes,
): Promise<FlowResult> {
  const read = await readCells(table, style, inside)
  const flow = new Flow(style.text)
  if ('tooLarge' in read) {
    notes.add('layout', 'a table with too many cells: its cells stand below each other', table)
    for (const result of read.tooLarge) flow.block(result)
    return flow.finish()
  }
  if (read.cells.length === 0) return flow.finish()
  const region = { cells: read.cells, top: 0, bottom: read.rows, left: 0, right: read.columns }
  new TableLayout(notes, table, style).column(region, flow)
  return flow.finish()
}

class TableLayout {
  readonly #notes: ImportNotes
  readonly #table: HtmlElement
  readonly #style: ComputedStyle

  constructor(notes: ImportNotes, table: HtmlElement, style: ComputedStyle) {
    this.#notes = notes
    this.#table = table
    this.#style = style
  }

  /** Adds a region to a column of blocks. */
  column(region: Region, flow: Flow): void {
    const [only] = region.cells
    const bands = bandsOf(region)
    if (only && region.cells.length === 1) this.#single(only, flow)
    else if (bands.length === 1 && columnsOf(region).length > 1) this.#row(region, flow)
    else if (bands.length === 1) this.#unordered(region, flow)
    else
      for (const group of groupsOf(bands)) {
        if (group.length === 1) this.column(group[0] as Region, flow)
        else this.#grid(group, flow)
      }
  }

  #single(cell: GridCell, flow: Flow): void {
    const line = lineOf(cell)
    if (line) flow.block({ drafts: [dividerDraft(line, 'horizontal')], top: 0, bottom: 0 })
    else if (isEmptyCell(cell)) {
      this.#noteEmpty([cell])
      const [top, , bottom] = cell.border
      if (top) flow.block({ drafts: [dividerDraft(top, 'horizontal')], top: 0, bottom: 0 })
      flow.space(Math.max(cell.height, cell.blank + cell.padding[0] + cell.padding[2]))
      if (bottom) flow.block({ drafts: [dividerDraft(bottom, 'horizontal')], top: 0, bottom: 0 })
    } else
      flow.block({ drafts: withHeight(cellDrafts(cell, this.#style.box.width), cell), top: 0, bottom: 0 })
  }

  #noteEmpty(cells: readonly GridCell[]): void {
    const color = cells.map(cell => cell.box.background).find(background => background !== undefined)
    if (color) this.#notes.add('style', `an empty cell in the colour ${color}`, this.#table)
  }

  /** Cells that no line separates, like the sails of a windmill. */
  #unordered(region: Region, flow: Flow): void {
    this.#notes.add('layout', 'cells that overlap: they stand below each other', this.#table)
    for (const cell of region.cells) this.#single(cell, flow)
  }

  /** Several rows with the same columns. */
  #grid(bands: readonly Region[], flow: Flow): void {
    const region = joinBands(bands)
    const columns = columnsOf(region)
    const isLine = (column: Region) => column.cells.every(cell => lineOf(cell) !== null || isEmptyCell(cell))
    const hasLine = columns.some(
      (column, at) => (at > 0 && hasSideLine(column)) || (isLine(column) && column.cells.some(lineOf)),
    )
    if (hasLine) {
      this.#row(region, flow)
      return
    }
    const list = labelledList(bands)
    if (list) {
      flow.block({ drafts: [list], top: 0, bottom: 0 })
      return
    }
    const widths = columns.map(columnWidth)
    for (const band of bands) this.#row(band, flow, widths)
  }

  /** Columns beside each other. */
  #row(region: Region, flow: Flow, widths: readonly (number | undefined)[] = []): void {
    const top = takeSideLine(region, 'top')
    const bottom = takeSideLine(region, 'bottom')
    const columns = columnsOf(region)
    const row = new Row()
    const rest = this.#restWidth(region, columns)
    for (const [at, column] of columns.entries())
      this.#addColumn(column, row, at === columns.length - 1 ? rest : widths[at])
    if (top) flow.block({ drafts: [dividerDraft(top, 'horizontal')], top: 0, bottom: 0 })
    const height = Math.max(...region.cells.map(cell => cell.height))
    const isWrapping = region.cells.every(cell => cell.box.display === 'atom')
    const draft = row.finish(rowAlignOf(columns), isWrapping)
    const [first] = region.cells
    if (draft && first) {
      const { verticalAlign } = first
      flow.block({ drafts: withHeight([draft], { height, verticalAlign }), top: 0, bottom: 0 })
    } else
      flow.space(
        Math.max(height, ...region.cells.map(cell => cell.blank + cell.padding[0] + cell.padding[2])),
      )
    if (bottom) flow.block({ drafts: [dividerDraft(bottom, 'horizontal')], top: 0, bottom: 0 })
  }

  /** The width that the other columns leave to the last one, in a table with a width. */
  #restWidth(region: Region, columns: readonly Region[]): number | undefined {
    const { width } = this.#style.box
    const last = columns.at(-1)?.cells
    const cell = last?.[0]
    if (width === undefined || !cell || last.length > 1 || cell.width !== undefined) return undefined
    if (region.left > 0 || cell.box.widthPercent !== undefined) return undefined
    const isFilled =
      cell.box.background !== undefined || cell.drafts.some(draft => alignOfDraft(draft) !== 'left')
    const others = columns
      .slice(0, -1)
      .map(column => (isFilled ? estimatedWidth(column) : givenWidth(column)))
    if (others.some(other => other === undefined)) return undefined
    const used = others.reduce<number>(
      (total, other) => total + (other ?? 0),
      cell.padding[1] + cell.padding[3],
    )
    return width - used > 20 ? width - used : undefined
  }

  #addColumn(column: Region, row: Row, width: number | undefined): void {
    const left = takeSideLine(column, 'left')
    const right = takeSideLine(column, 'right')
    if (left) row.line(left)
    const [cell] = column.cells
    const line = column.cells.map(lineOf).find(candidate => candidate !== null)
    if (column.cells.every(isEmptyCell)) {
      if (!line) this.#noteEmpty(column.cells)
      if (line) row.line(line)
      else row.space(Math.max(...column.cells.map(widthOfEmptyCell), width ?? 0))
    } else if (cell && column.cells.length === 1)
      row.add(sizedCell(cell, width ?? cell.width), cell.box.background !== undefined)
    else {
      const inner = new Flow(this.#style.text)
      this.column(column, inner)
      const result = inner.finish()
      const draft = asOneDraft(result.drafts)
      addMargin(draft, [result.top, 0, result.bottom, 0])
      row.add(draft)
    }
    if (right) row.line(right)
  }
}
