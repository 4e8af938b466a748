import type { AnalyticsBreakdownRow } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { barMetricOf } from '../analytics-state.ts'
import type { BreakdownCardProps } from './breakdown-card.tsx'
import { useRowLabel } from './use-row-label.ts'

interface BreakdownTableProps extends Omit<BreakdownCardProps, 'picture'> {
  readonly rows: readonly AnalyticsBreakdownRow[]
}

const headCell = 'px-2 py-1.5 text-xs font-medium whitespace-nowrap text-muted'
const numberButton = 'min-h-6 rounded px-1 tabular-nums underline-offset-2 hover:underline'

export function BreakdownTable({ name, rows, state, onEvents }: BreakdownTableProps) {
  const t = useTranslations('analytics')
  const format = useFormatter()
  const labelOf = useRowLabel(name)
  const barMetric = barMetricOf(name, state)
  const largest = Math.max(1, ...rows.map(row => row[barMetric]))
  const shown = name === 'link' ? (['clicks'] as const) : (['views', 'clicks'] as const)
  return (
    <table className="w-full table-fixed border-collapse text-[0.8125rem]">
      <caption className="sr-only">{t(`by.${name}`)}</caption>
      <thead>
        <tr>
          <th scope="col" className={`${headCell} text-start`}>
            {t(`dimensions.${name}`)}
          </th>
          {shown.map(metric => (
            <th key={metric} scope="col" className={`${headCell} w-14 text-end sm:w-18`}>
              {t(metric)}
            </th>
          ))}
          {name !== 'link' && (
            <th scope="col" className={`${headCell} w-16 text-end max-sm:hidden`}>
              {t('rate')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => {
          const label = labelOf(row)
          const part = row[barMetric] / largest
          return (
            <tr key={row.id} className="border-t border-line">
              <th scope="row" className="relative p-0 text-start font-normal">
                <span
                  aria-hidden="true"
                  className="absolute inset-y-1 start-0 rounded bg-accent-soft"
                  style={{ width: `${part * 100}%` }}
                />
                <button
                  type="button"
                  title={t('limitTo', { name: label })}
                  onClick={() => state.change({ [name]: row.id })}
                  className="relative block min-h-8 w-full truncate rounded px-2 text-start hover:underline"
                >
                  {label}
                </button>
              </th>
              {shown.map(metric => (
                <td key={metric} className="px-1 text-end">
                  <button
                    type="button"
                    className={numberButton}
                    aria-label={t('eventsOf', { count: row[metric], metric: t(metric), name: label })}
                    onClick={() =>
                      onEvents({
                        name: metric === 'views' ? '$view' : '$click',
                        filter: [name, row.id],
                        label,
                      })
                    }
                  >
                    {format.number(row[metric])}
                  </button>
                </td>
              ))}
              {name !== 'link' && (
                <td className="px-2 text-end tabular-nums max-sm:hidden">
                  {format.number(row.clickthrough_rate, { style: 'percent', maximumFractionDigits: 1 })}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
