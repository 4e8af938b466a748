// Views and clicks of 30 days, beside the 30 days before.
import type { AnalyticsOverview } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Card, LoadError, Skeleton } from '../../ui/page.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { changeOf, daysBefore, lastDays } from './periods.ts'

const LineChart = onDemand(
  async () => ({ default: (await import('../../ui/chart/line-chart.tsx')).LineChart }),
  <div className="h-56" />,
)

const metrics = ['views', 'clicks', 'clickthrough_rate'] as const
type Metric = (typeof metrics)[number]

const overviewOf = (period: ReturnType<typeof lastDays>) => ({
  queryKey: ['analytics', 'overview', period],
  queryFn: () => api.analytics.overview(period),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

function useNumberFormat() {
  const format = useFormatter()
  return (metric: Metric, value: number) =>
    metric === 'clickthrough_rate'
      ? format.number(value, { style: 'percent', maximumFractionDigits: 1 })
      : format.number(value)
}

const Change = ({ change }: { readonly change: number | null }) => {
  const format = useFormatter()
  const t = useTranslations('home.numbers')
  if (change === null) return <span className="text-xs text-muted">{t('noBefore')}</span>
  const isUp = change >= 0
  return (
    <span
      className={classes('flex items-center gap-0.5 text-xs font-medium', isUp ? 'text-good' : 'text-bad')}
    >
      <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={12} />
      {format.number(Math.abs(change), { style: 'percent', maximumFractionDigits: 0 })}
      <span className="sr-only">{isUp ? t('more') : t('less')}</span>
    </span>
  )
}

interface TileProps {
  readonly metric: Metric
  readonly now: AnalyticsOverview
  readonly before: AnalyticsOverview | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Tile = ({ metric, now, before, isChosen, onChoose }: TileProps) => {
  const t = useTranslations('home.numbers')
  const formatNumber = useNumberFormat()
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classes(
        'rounded-xl border px-3.5 py-2.5 text-start',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-edge',
      )}
    >
      <span className="block text-[0.8125rem] text-muted">{t(metric)}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-xl leading-7 font-semibold tracking-tight tabular-nums">
          {formatNumber(metric, now.totals[metric])}
        </span>
        {before && <Change change={changeOf(now.totals[metric], before.totals[metric])} />}
      </span>
    </button>
  )
}

function Chart({ metric, now, before }: Pick<TileProps, 'metric' | 'now' | 'before'>) {
  const t = useTranslations('home.numbers')
  const format = useFormatter()
  const formatNumber = useNumberFormat()
  const days = now.series.map(({ period }) => new Date(`${period.slice(0, 10)}T00:00:00Z`))
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return (
    <LineChart
      label={t('chart', { metric: t(metric) })}
      xLabels={days.map(each => format.dateTime(each, day))}
      pointLabels={days.map(each => format.dateTime(each, { ...day, weekday: 'short' }))}
      formatValue={value => formatNumber(metric, value)}
      height={180}
      table={{ summary: t('asTable'), xTitle: t('day') }}
      series={[
        {
          id: 'before',
          label: t('before'),
          values: (before?.series ?? []).map(each => each[metric]),
          tone: 'muted',
          isDashed: true,
        },
        { id: 'now', label: t(metric), values: now.series.map(each => each[metric]), isFilled: true },
      ]}
    />
  )
}

export function NumbersCard() {
  const t = useTranslations('home.numbers')
  const [metric, setMetric] = useState<Metric>('views')
  const { data: now, error, refetch } = useQuery(overviewOf(lastDays()))
  const { data: before } = useQuery(overviewOf(daysBefore()))
  return (
    <Card
      title={t('title')}
      about={t('about')}
      actions={<TextLink to="/analytics">{t('toAnalytics')}</TextLink>}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!now && !error && <Skeleton lines={6} />}
      {now && (
        <>
          <div className="mb-4 grid grid-cols-1 gap-2 min-[26rem]:grid-cols-3">
            {metrics.map(each => (
              <Tile
                key={each}
                metric={each}
                now={now}
                before={before}
                isChosen={each === metric}
                onChoose={() => setMetric(each)}
              />
            ))}
          </div>
          <Chart metric={metric} now={now} before={before} />
        </>
      )}
    </Card>
  )
}
