// What a page says about a virtual table.
import type { ReactNode } from 'react'

export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** A cell whose text can be changed in its place. */
export interface CellEdit<Row> {
  readonly valueOf: (row: Row) => string
  /** Rejects with what to say when the value was not saved. */
  readonly save: (row: Row, value: string) => Promise<unknown>
  /** False where the value cannot be changed here. */
  readonly isEditable?: (row: Row) => boolean
  readonly messageOf: (error: unknown) => string
}

export interface VirtualColumn<Row> {
  readonly id: string
  readonly title: string
  /** A CSS grid track, such as `minmax(12rem, 2fr)`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  /** The name for `sort`; a column without one cannot be sorted by. */
  readonly sort?: string
  readonly isSecondary?: boolean
  readonly edit?: CellEdit<Row>
}

/** Rows that are ticked. The page holds them, because it can mean rows that were never loaded. */
export interface TableSelection<Row> {
  readonly isSelected: (row: Row) => boolean
  readonly onToggle: (row: Row) => void
  readonly state: 'none' | 'some' | 'all'
  readonly onToggleAll: () => void
  readonly labelOf: (row: Row) => string
  readonly allLabel: string
}

export interface VirtualTableProps<Row> {
  readonly label: string
  readonly columns: readonly VirtualColumn<Row>[]
  /** Everything that decides about the rows: resource, search, filters, sort. */
  readonly queryKey: readonly unknown[]
  readonly loadPage: (page: number, limit: number, signal: AbortSignal) => Promise<ListPage<Row>>
  readonly keyOf: (row: Row) => string
  readonly onOpen?: (row: Row) => void
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
  readonly empty: ReactNode
  readonly rowHeight?: number
  readonly selection?: TableSelection<Row>
  /** Called when the number of rows is known, or has changed. */
  readonly onTotal?: (total: number) => void
  /** From here on the table scrolls sideways, inside its own frame; not on phones. */
  readonly minWidth?: string
}

export interface CellPosition {
  readonly row: number
  readonly column: number
}
