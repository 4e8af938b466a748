// Views, clicks and rate by what they belong to. A row limits the page to it; a number shows its events.
import type { AnalyticsBreakdownRow } from '@signoff/sdk'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { csvOf, saveFile } from '#ui/base/download.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { Card, LoadState } from '#ui/layout/page.tsx'
import { listPageOf } from '#ui/table/list-page.ts'
import { type AnalyticsState, barMetricOf, dimensionOf, type FilterName } from '../analytics-state.ts'
import type { ShownEvents } from '../events/events-dialog.tsx'
import { type Counts, unknownOf } from './unknown.ts'
import { useRowLabel } from './use-row-label.ts'

interface BreakdownTableProps extends Omit<BreakdownCardProps, 'picture' | 'totals'> {
  readonly rows: readonly AnalyticsBreakdownRow[]
  readonly unknown: Counts | undefined
}

const headCell = 'px-2 py-1.5 text-xs font-medium whitespace-nowrap text-muted'
const numberButton = 'min-h-6 rounded px-1 tabular-nums underline-offset-2 hover:underline'

function BreakdownTable({ name, rows, unknown, state, onEvents }: BreakdownTableProps) {
  const t = useTranslations('analytics')
  const format = useFormatter()
  const labelOf = useRowLabel(name)
  const barMetric = barMetricOf(name, state)
  const largest = Math.max(1, ...rows.map(row => row[barMetric]))
  const metrics = name === 'link' ? (['clicks'] as const) : (['views', 'clicks'] as const)
  return (
    <table className="w-full table-fixed border-collapse text-[0.8125rem]">
      <caption className="sr-only">{t(`by.${name}`)}</caption>
      <thead>
        <tr>
          <th scope="col" className={`${headCell} text-start`}>
            {t(`dimensions.${name}`)}
          </th>
          {metrics.map(metric => (
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
              {metrics.map(metric => (
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
        {unknown && (
          <tr className="border-t border-line text-muted">
            <th scope="row" className="h-8 px-2 text-start font-normal">
              {t('unknown')}
            </th>
            {metrics.map(metric => (
              <td key={metric} className="px-2 text-end tabular-nums">
                {format.number(unknown[metric])}
              </td>
            ))}
            <td className="max-sm:hidden" />
          </tr>
        )}
      </tbody>
    </table>
  )
}

export interface BreakdownCardProps {
  readonly name: FilterName
  readonly state: AnalyticsState
  readonly onEvents: (events: ShownEvents) => void
  /** A picture of the rows, above the table. */
  readonly picture?: (rows: readonly AnalyticsBreakdownRow[]) => ReactNode
  /** Totals of the whole period: what no row has is shown as unknown. */
  readonly totals?: Counts | undefined
}

const firstRows = 8
const mostRows = 100
/** A table of more rows would not open in most spreadsheets. */
const maxCsvRows = 100_000

export function BreakdownCard({ name, state, onEvents, picture, totals }: BreakdownCardProps) {
  const t = useTranslations('analytics')
  const [limit, setLimit] = useState(firstRows)
  const asked = {
    ...state.period,
    ...state.query,
    dimension: dimensionOf[name],
    order_by: barMetricOf(name, state),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['analytics', 'breakdown', asked, limit],
    queryFn: () => listPageOf(api.analytics.breakdown({ ...asked, limit: picture ? mostRows : limit })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const visibleRows = data?.rows.slice(0, limit) ?? []
  const isWhole = data !== undefined && data.rows.length === data.total
  return (
    <Card
      title={t(`by.${name}`)}
      className="min-w-0"
      actions={data && data.total > 0 && <CsvButton name={name} asked={asked} />}
    >
      <LoadState query={{ data, error, refetch }} lines={5} />
      {data?.total === 0 && <p className="text-muted">{t('noRows')}</p>}
      {data && data.total > 0 && (
        <div
          className={
            picture ? 'grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]' : ''
          }
        >
          {picture?.(data.rows)}
          <div className="min-w-0">
            <BreakdownTable
              name={name}
              rows={visibleRows}
              unknown={totals && isWhole ? unknownOf(data.rows, totals) : undefined}
              state={state}
              onEvents={onEvents}
            />
            {data.total > visibleRows.length && limit < mostRows && (
              <Button isSmall variant="quiet" className="mt-2" onPress={() => setLimit(mostRows)}>
                {t('showMore', { count: Math.min(data.total, mostRows) - visibleRows.length })}
              </Button>
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

interface CsvButtonProps {
  readonly name: FilterName
  readonly asked: Parameters<typeof api.analytics.breakdown>[0]
}

function CsvButton({ name, asked }: CsvButtonProps) {
  const t = useTranslations('analytics')
  const messageOf = useMessageOf()
  const labelOf = useRowLabel(name)
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const rows: (string | number)[][] = [
        [t(`dimensions.${name}`), t('views'), t('clicks'), t('clickthrough_rate')],
      ]
      for await (const row of api.analytics.breakdown({ ...asked, limit: 100 })) {
        rows.push([labelOf(row), row.views, row.clicks, row.clickthrough_rate])
        if (rows.length > maxCsvRows) break
      }
      saveFile(`${name}-${asked.start_date}-${asked.end_date}.csv`, csvOf(rows))
    },
    onError: error => toastError(messageOf(error)),
  })
  return (
    <IconButton
      icon="download"
      label={t('csvOf', { name: t(`by.${name}`) })}
      isDisabled={isPending}
      onPress={() => mutate()}
    />
  )
}
