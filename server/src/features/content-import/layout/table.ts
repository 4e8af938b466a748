// Tables as rows and columns.
import type { HtmlElement } from '../html/parse.ts'
import type { BorderLine, Look } from '../html/style.ts'
import type { ImportNotes } from '../notes.ts'
import { boxed, dividerDraft, maxLineThickness } from './box.ts'
import { type InsideTable, readCells } from './cells.ts'
import { addMargin, addPadding, asOneDraft, type Draft, estimateSize, paddingOf, stackOf } from './draft.ts'
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
import { joinSocialLists } from './social.ts'

/** The content of a table, without its own box. */
export function tableFlow(
  table: HtmlElement,
  look: Look,
  inside: InsideTable,
  notes: ImportNotes,
): FlowResult {
  const read = readCells(table, look, inside)
  const flow = new Flow(look.text)
  if ('tooLarge' in read) {
    notes.add('layout', 'a table with too many cells: its cells stand below each other', table)
    for (const result of read.tooLarge) flow.block(result)
    return flow.finish()
  }
  if (read.cells.length === 0) return flow.finish()
  const region = { cells: read.cells, top: 0, bottom: read.rows, left: 0, right: read.columns }
  new TableLayout(notes, table, look).column(region, flow)
  return flow.finish()
}

class TableLayout {
  readonly #notes: ImportNotes
  readonly #table: HtmlElement
  readonly #look: Look

  constructor(notes: ImportNotes, table: HtmlElement, look: Look) {
    this.#notes = notes
    this.#table = table
    this.#look = look
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
    } else flow.block({ drafts: withHeight(cellDrafts(cell, this.#look.box.width), cell), top: 0, bottom: 0 })
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
    const draft = row.finish(verticalAlignOf(columns), isWrapping)
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
    const { width } = this.#look.box
    const last = columns.at(-1)?.cells
    const cell = last?.[0]
    if (width === undefined || !cell || last.length > 1 || cell.width !== undefined) return undefined
    if (region.left > 0 || cell.box.widthPercent !== undefined) return undefined
    const isFilled = cell.box.background !== undefined || cell.drafts.some(draft => alignOf(draft) !== 'left')
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
    const line = column.cells.map(lineOf).find(found => found !== null)
    if (column.cells.every(isEmptyCell)) {
      if (!line) this.#noteEmpty(column.cells)
      if (line) row.line(line)
      else row.space(Math.max(...column.cells.map(widthOfEmpty), width ?? 0))
    } else if (cell && column.cells.length === 1)
      row.add(sizedCell(cell, width ?? cell.width), cell.box.background !== undefined)
    else {
      const inner = new Flow(this.#look.text)
      this.column(column, inner)
      const result = inner.finish()
      const draft = asOneDraft(result.drafts)
      addMargin(draft, [result.top, 0, result.bottom, 0])
      row.add(draft)
    }
    if (right) row.line(right)
  }
}

const hasSideLine = (column: Region): boolean => {
  const cells = column.cells.filter(cell => cell.column === column.left)
  return cells.length > 0 && cells.every(cell => cell.border[3] !== null)
}

const widthOfEmpty = (cell: GridCell): number => (cell.width ?? 0) + cell.padding[1] + cell.padding[3]

/** An empty, thin, coloured cell is a line. */
function lineOf(cell: GridCell): BorderLine | null {
  if (!isEmptyCell(cell)) return null
  const { background } = cell.box
  const sizes = [cell.width, cell.height].filter(
    (size): size is number => size !== undefined && size > 0 && size <= maxLineThickness,
  )
  const [thickness] = sizes
  if (background && thickness !== undefined) return { color: background, thickness: Math.round(thickness) }
  return null
}

/** The blocks of a cell inside its own box. */
function cellDrafts(cell: GridCell, tableWidth?: number): Draft[] {
  const { drafts, padding, box, border } = cell
  // The background of the only cell in a row is as wide as the table.
  const width = tableWidth !== undefined && box.background ? tableWidth - padding[1] - padding[3] : undefined
  const isButton = drafts.length === 1 && drafts[0]?.type === 'text' && border.every(line => line === null)
  return boxed(drafts, { ...box, border: [...border], width: isButton ? undefined : width }, padding)
}

/** A cell in a row: one block with the width of the cell. */
function sizedCell(cell: GridCell, width: number | undefined): Draft {
  const draft = asOneDraft(cellDrafts(cell))
  if (width === undefined || draft.blockStyle?.width !== undefined) return draft
  const hasOwnBackground = draft.blockStyle?.backgroundColor === cell.box.background
  if (draft.type === 'text' || (draft.type === 'stack' && hasOwnBackground)) {
    // The width of a cell is that of its content; the width of a stack includes its padding.
    const [, right, , left] = paddingOf(draft)
    draft.blockStyle = { ...draft.blockStyle, width: Math.min(2_000, Math.round(width + left + right)) }
    return draft
  }
  const free = width + cell.padding[1] + cell.padding[3] - estimateSize(draft).width
  if (free > 1) addFreeSpace(draft, free)
  return draft
}

const alignOf = (draft: Draft): string => draft.align ?? draft.blockStyle?.align ?? 'left'

const estimatedWidth = (column: Region): number => givenWidth(column) ?? columnWidth(column) ?? 0

/** Undefined when a cell of the column has content and no width. */
function givenWidth(column: Region): number | undefined {
  const widths = column.cells.map(cell =>
    cell.width === undefined && !isEmptyCell(cell) ? undefined : widthOfEmpty(cell),
  )
  return widths.some(width => width === undefined) ? undefined : Math.max(...widths.map(width => width ?? 0))
}

/** The rest of the width of a cell beside a picture. */
function addFreeSpace(draft: Draft, free: number): void {
  const align = alignOf(draft)
  const before = align === 'center' ? free / 2 : align === 'right' ? free : 0
  addMargin(draft, [0, free - before, 0, before])
  delete draft.blockStyle?.align
}

/** The width of a column of a grid, so that its cells line up. */
function columnWidth(column: Region): number | undefined {
  const given = column.cells.map(cell => cell.width ?? 0)
  const content = column.cells.map(cell =>
    isEmptyCell(cell)
      ? 0
      : Math.max(...cell.drafts.map(draft => estimateSize(draft).width)) + cell.padding[1] + cell.padding[3],
  )
  const width = Math.round(Math.max(...given) || Math.max(...content))
  return width > 0 && width <= 2_000 ? width : undefined
}

/** A row that is higher than its content. */
function withHeight(
  drafts: Draft[],
  { height, verticalAlign }: Pick<GridCell, 'height' | 'verticalAlign'>,
): Draft[] {
  const [first] = drafts
  const last = drafts.at(-1)
  const free = height - drafts.reduce((sum, draft) => sum + estimateSize(draft).height, 0)
  if (!first || !last || free < 2 || free > 200) return drafts
  const before = verticalAlign === 'middle' ? free / 2 : verticalAlign === 'bottom' ? free : 0
  addMargin(first, [before, 0, 0, 0])
  addMargin(last, [0, 0, free - before, 0])
  return drafts
}

function verticalAlignOf(columns: readonly Region[]): 'top' | 'middle' | 'bottom' {
  const aligns = columns
    .filter(column => !column.cells.every(isEmptyCell))
    .map(column => (column.cells.length === 1 ? (column.cells[0]?.verticalAlign ?? 'middle') : null))
    .filter(align => align !== null)
  if (aligns.includes('top')) return 'top'
  return aligns[0] ?? 'top'
}

/** Blocks beside each other, with lines and space between them. */
class Row {
  readonly #drafts: Draft[] = []
  /** Cells with a background. */
  readonly #filled = new Set<Draft>()
  #space = 0

  add(draft: Draft, isFilled = false): void {
    if (isFilled) this.#filled.add(draft)
    if (this.#space > 0) addMargin(draft, [0, 0, 0, this.#space])
    this.#space = 0
    this.#drafts.push(draft)
  }

  line(line: BorderLine): void {
    this.add(dividerDraft(line, 'vertical'))
  }

  space(pixels: number): void {
    const last = this.#drafts.at(-1)
    if (last && last.type !== 'divider') addMargin(last, [0, pixels, 0, 0])
    else this.#space += pixels
  }

  finish(verticalAlign: 'top' | 'middle' | 'bottom', isWrapping: boolean): Draft | null {
    const drafts = joinSocialLists(this.#drafts)
    const [only] = drafts
    if (only === undefined) return null
    if (drafts.length === 1 && only.type !== 'divider') return only
    this.#fillHeights(verticalAlign)
    return stackOf(drafts, { direction: 'row', verticalAlign, ...(isWrapping && { wrap: true }) })
  }

  /** Backgrounds beside each other are equally high. */
  #fillHeights(verticalAlign: GridCell['verticalAlign']): void {
    const heights = this.#drafts.map(draft => estimateSize(draft).height)
    const highest = Math.max(...heights)
    for (const [at, draft] of this.#drafts.entries()) {
      const free = highest - (heights[at] ?? 0)
      if (!this.#filled.has(draft) || draft.type !== 'stack' || free < 1) continue
      const before = verticalAlign === 'middle' ? free / 2 : verticalAlign === 'bottom' ? free : 0
      addPadding(draft, [before, 0, free - before, 0])
    }
  }
}
