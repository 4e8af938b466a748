// A table of few rows. Long lists use `virtual-table.tsx`.
import type { ReactNode } from 'react'
import { classes } from '../base/classes.ts'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Left out on phones. */
  readonly isSecondary?: boolean
  readonly isTitleHidden?: boolean
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export const Table = <Row,>({ label, columns, rows, keyOf }: TableProps<Row>) => (
  <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-2xl border border-line bg-card">
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b border-line">
          {columns.map(({ id, title, isNumber, isSecondary, isTitleHidden }) => (
            <th
              key={id}
              scope="col"
              className={classes(
                'px-4 py-2.5 text-xs font-medium whitespace-nowrap text-muted',
                isNumber ? 'text-end' : 'text-start',
                isSecondary && 'max-sm:hidden',
              )}
            >
              {isTitleHidden ? <span className="sr-only">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken/50">
            {columns.map(({ id, cell, isNumber, isSecondary }) => (
              <td
                key={id}
                className={classes(
                  'px-4 py-3 align-middle',
                  isNumber && 'text-end tabular-nums',
                  isSecondary && 'max-sm:hidden',
                )}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
