// Names and values of one thing. Rows without a value are left out.
import type { ReactNode } from 'react'

interface DetailListProps {
  readonly rows: readonly { readonly label: string; readonly value: ReactNode }[]
}

export const DetailList = ({ rows }: DetailListProps) => (
  <dl className="grid gap-x-4 gap-y-2 text-[0.8125rem] sm:grid-cols-[9rem_minmax(0,1fr)]">
    {rows
      .filter(({ value }) => value !== null && value !== undefined && value !== false && value !== '')
      .map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-muted max-sm:-mb-2">{label}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
  </dl>
)
