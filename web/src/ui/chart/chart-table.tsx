// The numbers of a chart as a table, for people who do not read the picture.
import type { ChartSeries } from './series.ts'

interface ChartTableProps {
  readonly label: string
  /** The words that open it, such as “Show as a table”. */
  readonly summary: string
  /** The head of the first column, such as “Day”. */
  readonly xTitle: string
  readonly xLabels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly formatValue: (value: number) => string
}

export const ChartTable = ({ label, summary, xTitle, xLabels, series, formatValue }: ChartTableProps) => (
  <details className="mt-2 text-[0.8125rem]">
    <summary className="inline-block min-h-6 cursor-default rounded text-muted hover:text-ink">
      {summary}
    </summary>
    <section
      aria-label={label}
      tabIndex={0}
      className="mt-2 max-h-72 overflow-auto rounded-xl border border-line"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-card">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-start font-medium text-muted">
              {xTitle}
            </th>
            {series.map(({ id, label: title }) => (
              <th key={id} scope="col" className="px-3 py-1.5 text-end font-medium text-muted">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xLabels.map((x, index) => (
            <tr key={x} className="border-t border-line">
              <th scope="row" className="px-3 py-1 text-start font-normal">
                {x}
              </th>
              {series.map(({ id, values }) => (
                <td key={id} className="px-3 py-1 text-end tabular-nums">
                  {formatValue(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
)
