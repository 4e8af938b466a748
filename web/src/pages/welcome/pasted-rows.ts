// How pasted cells of a spreadsheet, or a list of addresses, are spread over the small table of people.
import { emptyRow, isAddress, maxRows, type PersonColumn, type PersonRow, splitName } from './people-rows.ts'

export interface PastedRows {
  readonly rows: readonly PersonRow[]
  /** Columns with values that have no column here: their names, or their examples. */
  readonly ignored: readonly string[]
  /** Rows beyond the limit of the table. */
  readonly cut: number
}

const isPhone = (cell: string) => /^[+(\d][\d\s()/.-]{5,}$/.test(cell)

/** Heads of columns, in English and German. */
const heads: readonly (readonly [head: RegExp, column: PersonColumn | 'name'])[] = [
  [/^(first|given|vor)[\s_-]?name$/i, 'first_name'],
  [/^(last|family|sur|nach|familien)[\s_-]?name$/i, 'last_name'],
  [/^(full[\s_-]?)?name$/i, 'name'],
  [/e-?mail|^address$|^adresse$/i, 'email'],
  [/title|titel|position|funktion|rolle|^role$|^job$/i, 'job_title'],
  [/phone|telefon|^tel\.?$|durchwahl/i, 'work_phone'],
]

type Cells = readonly string[]

/** The place of the column in which most cells pass. */
function indexOf(table: readonly Cells[], passes: (cell: string) => boolean): number {
  const width = Math.max(...table.map(cells => cells.length))
  const counts = Array.from(
    { length: width },
    (_, at) => table.filter(cells => passes(cells[at] ?? '')).length,
  )
  const most = Math.max(...counts)
  return most === 0 ? -1 : counts.indexOf(most)
}

type ColumnsByIndex = ReadonlyMap<number, PersonColumn | 'name'>

/** By the head where there is one, else by what the cells look like and by their order. */
function columnsIn(head: Cells | undefined, table: readonly Cells[]): ColumnsByIndex {
  const columns = new Map<number, PersonColumn | 'name'>()
  const isFree = (column: string) => ![...columns.values()].some(used => used === column)
  head?.forEach((cell, at) => {
    const column = heads.find(([pattern]) => pattern.test(cell))?.[1]
    if (column !== undefined && isFree(column)) columns.set(at, column)
  })
  const guess = (column: PersonColumn, at: number) => {
    if (at >= 0 && isFree(column) && !columns.has(at)) columns.set(at, column)
  }
  guess(
    'email',
    indexOf(table, cell => cell.includes('@')),
  )
  guess('work_phone', indexOf(table, isPhone))
  if (head) return columns
  const width = Math.max(...table.map(cells => cells.length))
  const left = Array.from({ length: width }, (_, at) => at).filter(at => !columns.has(at))
  const hasWholeNames = left.length < 3 && table.every(cells => /\S\s+\S/.test(cells[left[0] ?? 0] ?? ''))
  const order = hasWholeNames
    ? (['name', 'job_title'] as const)
    : (['first_name', 'last_name', 'job_title'] as const)
  order.forEach((column, index) => {
    const at = left[index]
    if (at !== undefined) columns.set(at, column)
  })
  return columns
}

const rowOf = (cells: Cells, columns: ColumnsByIndex): PersonRow => {
  const parts = [...columns].map(([at, column]) =>
    column === 'name' ? splitName(cells[at] ?? '') : { [column]: cells[at] ?? '' },
  )
  return Object.assign({ ...emptyRow }, ...parts)
}

/** Undefined when the text is a single value. */
export function rowsInText(text: string): PastedRows | undefined {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  if (lines.length < 2 && !text.includes('\t')) return undefined
  const separator = text.includes('\t') ? /\t/ : /[;,]/
  const cells = lines.map(line => line.split(separator).map(cell => cell.trim()))
  const first = cells[0] ?? []
  // The head of a table names columns and has no address.
  const isHead = !first.some(cell => cell.includes('@')) && cells.some(line => line.some(isAddress))
  const table = isHead ? cells.slice(1) : cells
  if (table.length === 0) return undefined
  const columns = columnsIn(isHead ? first : undefined, table)
  const width = Math.max(...cells.map(line => line.length))
  const ignored = Array.from({ length: width }, (_, at) => at)
    .filter(at => !columns.has(at) && table.some(line => (line[at] ?? '') !== ''))
    .map(at => (isHead && first[at]) || (table.find(line => line[at])?.[at] ?? ''))
  return {
    rows: table.slice(0, maxRows).map(line => rowOf(line, columns)),
    ignored,
    cut: Math.max(0, table.length - maxRows),
  }
}
