// Cuts the cells of a table into rows and columns: a region is cut where no cell crosses the line.
import type { BorderLine, ComputedBox, FourSides } from '../html/computed-style.ts'
import type { Draft } from './draft.ts'

export interface GridCell {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  readonly drafts: Draft[]
  readonly box: ComputedBox
  readonly padding: FourSides<number>
  /** The height of empty lines in a cell without content. */
  readonly blank: number
  readonly height: number
  readonly width: number | undefined
  /** Borders that are not drawn yet: top, right, bottom, left. */
  readonly border: [BorderLine | null, BorderLine | null, BorderLine | null, BorderLine | null]
  readonly verticalAlign: 'top' | 'middle' | 'bottom'
}

export const isEmptyCell = (cell: GridCell): boolean => cell.drafts.length === 0

export interface Region {
  readonly cells: readonly GridCell[]
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface Axis {
  readonly start: (cell: GridCell) => number
  readonly size: (cell: GridCell) => number
  readonly part: (region: Region, start: number, end: number, cells: GridCell[]) => Region
  readonly range: (region: Region) => readonly [number, number]
}

const rowAxis: Axis = {
  start: cell => cell.row,
  size: cell => cell.rows,
  part: (region, top, bottom, cells) => ({ ...region, top, bottom, cells }),
  range: ({ top, bottom }) => [top, bottom],
}
const columnAxis: Axis = {
  start: cell => cell.column,
  size: cell => cell.columns,
  part: (region, left, right, cells) => ({ ...region, left, right, cells }),
  range: ({ left, right }) => [left, right],
}

/** The positions where a region can be cut, with its ends. */
function cutsOf(region: Region, { start, size, range }: Axis): number[] {
  const [from, to] = range(region)
  const crossed = new Array<number>(to - from + 2).fill(0)
  for (const cell of region.cells) {
    // Crosses the lines after its first position and before its end.
    crossed[start(cell) + 1 - from] = (crossed[start(cell) + 1 - from] ?? 0) + 1
    crossed[start(cell) + size(cell) - from] = (crossed[start(cell) + size(cell) - from] ?? 0) - 1
  }
  const cuts = [from]
  let open = 0
  for (let at = 1; at < to - from; at++) {
    open += crossed[at] ?? 0
    if (open === 0) cuts.push(from + at)
  }
  return [...cuts, to]
}

function partsOf(region: Region, axis: Axis): Region[] {
  const cuts = cutsOf(region, axis)
  const partAt = new Map<number, GridCell[]>(cuts.slice(0, -1).map(cut => [cut, []]))
  const starts = cuts.slice(0, -1)
  for (const cell of region.cells) {
    const at = starts.findLast(cut => cut <= axis.start(cell))
    if (at !== undefined) partAt.get(at)?.push(cell)
  }
  return starts
    .map((cut, index) => axis.part(region, cut, cuts[index + 1] ?? cut, partAt.get(cut) ?? []))
    .filter(part => part.cells.length > 0)
}

export const bandsOf = (region: Region): Region[] => partsOf(region, rowAxis)
export const columnsOf = (region: Region): Region[] => partsOf(region, columnAxis)

/** Bands with the same columns, for example the lines of a table with labels. */
export function groupsOf(bands: readonly Region[]): Region[][] {
  const groups: { readonly key: string; readonly bands: Region[] }[] = []
  for (const band of bands) {
    const columns = columnsOf(band)
    const isPlain = columns.length > 1 && columns.every(column => column.cells.length === 1)
    const key = isPlain ? columns.map(column => `${column.left}-${column.right}`).join() : ''
    const last = groups.at(-1)
    if (last && key !== '' && last.key === key) last.bands.push(band)
    else groups.push({ key, bands: [band] })
  }
  return groups.map(group => group.bands)
}

/** All bands as one region. */
export const joinBands = (bands: readonly Region[]): Region => ({
  ...(bands[0] as Region),
  bottom: Math.max(...bands.map(band => band.bottom)),
  cells: bands.flatMap(band => band.cells),
})

const sideAt = { top: 0, right: 1, bottom: 2, left: 3 } as const

/** Takes the line off a side of the region when all cells at this side have it. */
export function takeSideLine(region: Region, side: keyof typeof sideAt): BorderLine | null {
  const isAtSide = (cell: GridCell): boolean =>
    side === 'left'
      ? cell.column === region.left
      : side === 'right'
        ? cell.column + cell.columns === region.right
        : side === 'top'
          ? cell.row === region.top
          : cell.row + cell.rows === region.bottom
  const cells = region.cells.filter(isAtSide)
  const [first] = cells
  const line = first?.border[sideAt[side]] ?? null
  if (line === null || !cells.every(cell => cell.border[sideAt[side]] !== null)) return null
  for (const cell of cells) cell.border[sideAt[side]] = null
  return line
}
