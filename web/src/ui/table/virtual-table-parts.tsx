// The rows of a virtual table.
import { memo } from 'react'
import { classes } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'
import { Checkbox } from '../form/choice.tsx'
import { CellEditor } from './virtual-table-editor.tsx'
import { canEditCell } from './virtual-table-keys.ts'
import type { CellPosition, TableSelection, VirtualColumn } from './virtual-table-types.ts'

interface Shared<Row> {
  readonly columns: readonly VirtualColumn<Row>[]
  readonly selection: TableSelection<Row> | undefined
}

const rowGrid = 'grid grid-cols-(--tracks) min-w-(--table-width)'

/** `name` → `-name` → `name`: a header that is pressed again turns the order. */
const turned = (sort: string | undefined, column: string): string => (sort === column ? `-${column}` : column)

const ariaSort = (sort: string | undefined, column: string | undefined) => {
  if (column === undefined) return undefined
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
}

interface HeaderProps<Row> extends Shared<Row> {
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
  readonly height: number
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: { readonly column: VirtualColumn<Row> } & Pick<HeaderProps<Row>, 'sort' | 'onSort'>) {
  const { title, sort: by } = column
  const direction = ariaSort(sort, by)
  return (
    <div
      role="columnheader"
      aria-sort={direction}
      className="flex min-w-0 items-center px-3 text-xs font-medium text-muted"
    >
      {by !== undefined && onSort ? (
        <button
          type="button"
          className="flex min-h-6 min-w-0 items-center gap-1 rounded hover:text-ink"
          onClick={() => onSort(turned(sort, by))}
        >
          <span className="truncate">{title}</span>
          <Icon
            name={direction === 'descending' ? 'arrow-down' : 'arrow-up'}
            size={12}
            className={direction === 'none' ? 'invisible' : ''}
          />
        </button>
      ) : (
        <span className="truncate">{title}</span>
      )}
    </div>
  )
}

export function HeaderRow<Row>({ columns, sort, onSort, selection, height }: HeaderProps<Row>) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 min-w-fit bg-card">
      <div
        role="row"
        aria-rowindex={1}
        className={classes(rowGrid, 'border-b border-line')}
        style={{ height }}
      >
        {selection && (
          <div role="columnheader" className="grid place-items-center">
            <Checkbox
              aria-label={selection.allLabel}
              isSelected={selection.state === 'all'}
              isIndeterminate={selection.state === 'some'}
              onChange={selection.onToggleAll}
              className="p-1"
            />
          </div>
        )}
        {columns.map(column => (
          <HeaderCell key={column.id} {...{ column, sort, onSort }} />
        ))}
      </div>
    </div>
  )
}

interface RowProps<Row> extends Shared<Row> {
  /** Undefined while its page loads. */
  readonly row: Row | undefined
  readonly index: number
  readonly start: number
  readonly rowHeight: number
  readonly onOpen: ((row: Row) => void) | undefined
  readonly activeColumn: number | null
  readonly editedColumn: number | null
  /** The id of the table: ids of cells begin with it. */
  readonly tableId: string
  readonly onActivate: (at: CellPosition) => void
  readonly onEdit: (at: CellPosition) => void
  readonly endEdit: () => void
}

function SelectionCell<Row>({ row, selection }: Pick<RowProps<Row>, 'row' | 'selection'>) {
  if (!selection) return null
  return (
    <div role="gridcell" className="grid place-items-center">
      {row !== undefined && (
        <Checkbox
          aria-label={selection.labelOf(row)}
          isSelected={selection.isSelected(row)}
          onChange={() => selection.onToggle(row)}
          // The table has one stop for the Tab key; there, Space selects the row.
          excludeFromTabOrder
          className="p-1"
        />
      )}
    </div>
  )
}

export const cellId = (tableId: string, { row, column }: CellPosition): string =>
  `${tableId}-${row}-${column}`

function PlainRow<Row>(props: RowProps<Row>) {
  const { columns, row, index, start, rowHeight, selection, onOpen, activeColumn, editedColumn } = props
  const isSelected = row !== undefined && selection?.isSelected(row) === true
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(selection && { 'aria-selected': isSelected })}
      className={classes(
        rowGrid,
        'absolute inset-x-0 items-stretch border-b border-line',
        onOpen && 'hover:bg-sunken/60',
        isSelected && 'bg-accent-soft/60',
        editedColumn !== null && 'z-10',
        activeColumn !== null && 'group-focus-visible/table:bg-accent-soft',
      )}
      style={{ height: rowHeight, transform: `translateY(${start}px)` }}
    >
      <SelectionCell {...{ row, selection }} />
      {columns.map((column, position) => {
        const { id, cell, edit } = column
        const isEdited = editedColumn === position && row !== undefined && edit !== undefined
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the table handles the keys for its active cell
          <div
            key={id}
            id={cellId(props.tableId, { row: index, column: position })}
            role="gridcell"
            onClick={() => props.onActivate({ row: index, column: position })}
            onDoubleClick={() =>
              row !== undefined && canEditCell(column, row) && props.onEdit({ row: index, column: position })
            }
            className={classes(
              'flex min-w-0 items-center px-3',
              isEdited && 'relative',
              activeColumn === position &&
                'group-focus-visible/table:outline-2 group-focus-visible/table:-outline-offset-2 group-focus-visible/table:outline-accent',
            )}
          >
            {row === undefined ? (
              <span className="block h-3 w-2/3 animate-pulse rounded bg-sunken" />
            ) : isEdited ? (
              <CellEditor edit={edit} row={row} label={column.title} onEnd={props.endEdit} />
            ) : (
              <div className="min-w-0 flex-1 truncate">{cell(row)}</div>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Scrolling draws the new rows only, so the table must give the others the same props as before. */
export const TableRow = memo(PlainRow) as typeof PlainRow
