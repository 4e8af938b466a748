// The sizes, lines and alignment of table cells.
import type { BorderLine } from '../html/computed-style.ts'
import { boxed, maxLineThickness } from './box.ts'
import { addMargin, asOneDraft, type Draft, estimateSize, paddingOf } from './draft.ts'
import { type GridCell, isEmptyCell, type Region } from './grid.ts'

export const hasSideLine = (column: Region): boolean => {
  const cells = column.cells.filter(cell => cell.column === column.left)
  return cells.length > 0 && cells.every(cell => cell.border[3] !== null)
}

export const widthOfEmptyCell = (cell: GridCell): number =>
  (cell.width ?? 0) + cell.padding[1] + cell.padding[3]

/** An empty, thin, coloured cell is a line. */
export function lineOf(cell: GridCell): BorderLine | null {
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
export function cellDrafts(cell: GridCell, tableWidth?: number): Draft[] {
  const { drafts, padding, box, border } = cell
  // The background of the only cell in a row is as wide as the table.
  const width = tableWidth !== undefined && box.background ? tableWidth - padding[1] - padding[3] : undefined
  const isButton = drafts.length === 1 && drafts[0]?.type === 'text' && border.every(line => line === null)
  return boxed(drafts, { ...box, border: [...border], width: isButton ? undefined : width }, padding)
}

/** A cell in a row: one block with the width of the cell. */
export function sizedCell(cell: GridCell, width: number | undefined): Draft {
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

export const alignOfDraft = (draft: Draft): string => draft.align ?? draft.blockStyle?.align ?? 'left'

export const estimatedWidth = (column: Region): number => givenWidth(column) ?? columnWidth(column) ?? 0

/** Undefined when a cell of the column has content and no width. */
export function givenWidth(column: Region): number | undefined {
  const widths = column.cells.map(cell =>
    cell.width === undefined && !isEmptyCell(cell) ? undefined : widthOfEmptyCell(cell),
  )
  return widths.some(width => width === undefined) ? undefined : Math.max(...widths.map(width => width ?? 0))
}

/** The rest of the width of a cell beside a picture. */
function addFreeSpace(draft: Draft, free: number): void {
  const align = alignOfDraft(draft)
  const before = align === 'center' ? free / 2 : align === 'right' ? free : 0
  addMargin(draft, [0, free - before, 0, before])
  delete draft.blockStyle?.align
}

/** The width of a column of a grid, so that its cells line up. */
export function columnWidth(column: Region): number | undefined {
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
export function withHeight(
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

export function rowAlignOf(columns: readonly Region[]): 'top' | 'middle' | 'bottom' {
  const aligns = columns
    .filter(column => !column.cells.every(isEmptyCell))
    .map(column => (column.cells.length === 1 ? (column.cells[0]?.verticalAlign ?? 'middle') : null))
    .filter(align => align !== null)
  if (aligns.includes('top')) return 'top'
  return aligns[0] ?? 'top'
}
