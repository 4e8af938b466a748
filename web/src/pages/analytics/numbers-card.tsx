// Views, clicks and rate with their change, and the chosen one as a line beside that of the period before.
import type { AnalyticsOverview } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Card, LoadError, Skeleton } from '../../ui/page.tsx'
import {
  type AnalyticsMetric,
  type AnalyticsPeriod,
  type AnalyticsState,
  analyticsMetrics,
} from './analytics-state.ts'
import { useMetricFormat } from './number-format.ts'

const LineChart = onDemand(
  async () => ({ default: (await import('../../ui/chart/line-chart.tsx')).LineChart }),
  <div className="h-72" />,
)

const overviewQuery = ({ interval, query }: AnalyticsState, period: AnalyticsPeriod) => ({
  queryKey: ['analytics', 'overview', period, interval, query],
  queryFn: () => api.analytics.overview({ ...period, ...query, interval }),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

interface NumbersProps {
  readonly now: AnalyticsOverview
  readonly before: AnalyticsOverview | undefined
}

function Change({ now, before }: { readonly now: number; readonly before: number }) {
  const t = useTranslations('analytics')
  const format = useFormatter()
  if (before === 0) return <span className="text-xs text-muted">{t('noBefore')}</span>
  const change = (now - before) / before
  return (
    <span
      className={classes(
        'flex items-center gap-0.5 text-xs font-medium',
        change >= 0 ? 'text-good' : 'text-bad',
      )}
    >
      <Icon name={change >= 0 ? 'arrow-up' : 'arrow-down'} size={12} />
      {format.number(Math.abs(change), { style: 'percent', maximumFractionDigits: 0 })}
      <span className="sr-only">{change >= 0 ? t('moreThanBefore') : t('lessThanBefore')}</span>
    </span>
  )
}

interface MetricTileProps extends NumbersProps {
  readonly metric: AnalyticsMetric
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function MetricTile({ metric, now, before, isChosen, onChoose }: MetricTileProps) {
  const t = useTranslations('analytics')
  const formatNumber = useMetricFormat()
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classes(
        'rounded-xl border px-4 py-3 text-start',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-edge',
      )}
    >
      <span className="block text-[0.8125rem] text-muted">{t(metric)}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl leading-8 font-semibold tracking-tight tabular-nums">
          {formatNumber(metric, now.totals[metric])}
        </span>
        {before && <Change now={now.totals[metric]} before={before.totals[metric]} />}
      </span>
    </button>
  )
}

function Chart({ state, now, before }: NumbersProps & { readonly state: AnalyticsState }) {
  const { metric, interval } = state
  const t = useTranslations('analytics')
  const format = useFormatter()
  const formatNumber = useMetricFormat()
  const days = now.series.map(({ period }) => new Date(`${period.slice(0, 10)}T00:00:00Z`))
  const day = interval === 'month' ? {} : ({ day: 'numeric' } as const)
  const year = interval === 'month' ? ({ year: 'numeric' } as const) : {}
  const label = { month: 'short', timeZone: 'UTC', ...day, ...year } as const
  return (
    <LineChart
      label={t('chart', { metric: t(metric) })}
      xLabels={days.map(each => format.dateTime(each, label))}
      pointLabels={days.map(each => format.dateTime(each, { ...label, year: 'numeric' }))}
      formatValue={value => formatNumber(metric, value)}
      height={240}
      table={{ summary: t('asTable'), xTitle: t(`intervals.${interval}`) }}
      series={[
        {
          id: 'before',
          label: t('before'),
          values: days.map((_, index) => before?.series[index]?.[metric] ?? 0),
          tone: 'muted',
          isDashed: true,
        },
        { id: 'now', label: t(metric), values: now.series.map(each => each[metric]), isFilled: true },
      ]}
    />
  )
}

interface NumbersCardProps {
  readonly state: AnalyticsState
  readonly onEvents: (name: '$view' | '$click') => void
}

export function AnalyticsNumbers({ state, onEvents }: NumbersCardProps) {
  const t = useTranslations('analytics')
  const { data: now, error, refetch } = useQuery(overviewQuery(state, state.period))
  const { data: before } = useQuery(overviewQuery(state, state.before))
  return (
    <Card
      title={t('overTime')}
      about={t('comparedAbout')}
      actions={
        <>
          <Button isSmall look="quiet" icon="eye" onPress={() => onEvents('$view')}>
            {t('showViews')}
          </Button>
          <Button isSmall look="quiet" icon="target" onPress={() => onEvents('$click')}>
            {t('showClicks')}
          </Button>
        </>
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!now && !error && <Skeleton lines={8} />}
      {now && (
        <>
          <div className="mb-5 grid grid-cols-1 gap-2 min-[26rem]:grid-cols-3">
            {analyticsMetrics.map(metric => (
              <MetricTile
                key={metric}
                metric={metric}
                now={now}
                before={before}
                isChosen={metric === state.metric}
                onChoose={() => state.change({ metric: metric === 'views' ? undefined : metric })}
              />
            ))}
          </div>
          <Chart state={state} now={now} before={before} />
        </>
      )}
    </Card>
  )
}
