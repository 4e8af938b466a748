// One number of the analytics over time, beside the same of the period before.
import type { AnalyticsOverview } from '@signoff/sdk'
import { type DateTimeFormatOptions, useFormatter, useTranslations } from 'use-intl'
import { onDemand } from '../base/on-demand.tsx'
import { type Metric, useMetricFormat } from './metric-tiles.tsx'

const LineChart = onDemand(async () => ({ default: (await import('./line-chart.tsx')).LineChart }))

interface MetricChartProps {
  readonly metric: Metric
  readonly now: AnalyticsOverview
  readonly before: AnalyticsOverview | undefined
  readonly beforeLabel: string
  /** “Day”, “Month”: the title of the first column when shown as a table. */
  readonly intervalLabel: string
  readonly axisDate: DateTimeFormatOptions
  readonly pointDate: DateTimeFormatOptions
  readonly height: number
}

export function MetricChart({ metric, now, before, height, ...texts }: MetricChartProps) {
  const t = useTranslations('shell.metrics')
  const format = useFormatter()
  const formatNumber = useMetricFormat()
  const days = now.series.map(({ period }) => new Date(`${period.slice(0, 10)}T00:00:00Z`))
  const datesAs = (options: DateTimeFormatOptions) =>
    days.map(day => format.dateTime(day, { timeZone: 'UTC', ...options }))
  const values = (overview: AnalyticsOverview) =>
    days.map((_, index) => overview.series[index]?.[metric] ?? 0)
  return (
    <div style={{ minHeight: height + 48 }}>
      <LineChart
        label={t('chart', { metric: t(metric) })}
        xLabels={datesAs(texts.axisDate)}
        pointLabels={datesAs(texts.pointDate)}
        formatValue={value => formatNumber(metric, value)}
        height={height}
        table={{ summary: t('asTable'), xTitle: texts.intervalLabel }}
        series={[
          {
            id: 'before',
            label: texts.beforeLabel,
            values: before ? values(before) : [],
            tone: 'muted',
            isDashed: true,
          },
          { id: 'now', label: t(metric), values: values(now), isFilled: true },
        ]}
      />
    </div>
  )
}
