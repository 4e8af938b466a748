// The keys of a virtual table: arrows move, Space selects, Enter opens (or edits a cell that can be edited), F2 edits.
import type { KeyboardEvent } from 'react'
import type { CellPosition, VirtualColumn } from './virtual-table-types.ts'

interface TableKeys<Row> {
  readonly columns: readonly VirtualColumn<Row>[]
  readonly active: CellPosition
  readonly last: number
  readonly rowAt: (index: number) => Row | undefined
  readonly onMove: (next: CellPosition) => void
  readonly onEdit: (at: CellPosition) => void
  readonly onOpen?: (row: Row) => void
  readonly onSelect?: (row: Row) => void
}

const within = (value: number, last: number) => Math.max(0, Math.min(value, last))

export const canEditCell = <Row>(column: VirtualColumn<Row> | undefined, row: Row): boolean =>
  column?.edit !== undefined && (column.edit.isEditable?.(row) ?? true)

function positionAfter(
  key: string,
  { row, column }: CellPosition,
  last: number,
  lastColumn: number,
): CellPosition | undefined {
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const rows: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + 10,
    PageUp: row - 10,
    Home: 0,
    End: last,
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: isRightToLeft ? -1 : 1,
    ArrowLeft: isRightToLeft ? 1 : -1,
  }
  const nextRow = rows[key]
  if (nextRow !== undefined) return { row: within(nextRow, last), column }
  const step = steps[key]
  return step === undefined ? undefined : { row, column: within(column + step, lastColumn) }
}

export function useTableKeys<Row>(keys: TableKeys<Row>) {
  const { columns, active, last, rowAt, onMove, onEdit, onOpen, onSelect } = keys
  /** True when the key meant something. */
  const act = (key: string): boolean => {
    const row = rowAt(active.row)
    if (row === undefined) return false
    const isEditable = canEditCell(columns[active.column], row)
    if (isEditable && (key === 'F2' || key === 'Enter')) onEdit(active)
    else if (key === 'Enter' && onOpen) onOpen(row)
    else if (key === ' ' && onSelect) onSelect(row)
    else return false
    return true
  }
  return (event: KeyboardEvent) => {
    // Keys in controls of a row, such as a cell that is being edited, belong to them.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const next = positionAfter(event.key, active, last, columns.length - 1)
    if (next) onMove(next)
    else if (!act(event.key)) return
    event.preventDefault()
  }
}
