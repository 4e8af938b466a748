// Views and clicks of 30 days, beside the 30 days before.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { TextLink } from '#ui/base/text-link.tsx'
import { MetricChart } from '#ui/chart/metric-chart.tsx'
import { type Metric, MetricTiles } from '#ui/chart/metric-tiles.tsx'
import { Card, LoadError, Skeleton } from '#ui/layout/page.tsx'

// The last 30 days and the 30 days before them, as days in UTC, which is how the API counts.
const dayMilliseconds = 86_400_000

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * dayMilliseconds).toISOString().slice(0, 10)

const lastDays = () => ({
  start_date: dayBefore(29),
  end_date: dayBefore(0),
  interval: 'day' as const,
})

const daysBefore = () => ({
  start_date: dayBefore(59),
  end_date: dayBefore(30),
  interval: 'day' as const,
})

const overviewOf = (period: ReturnType<typeof lastDays>) => ({
  queryKey: ['analytics', 'overview', period],
  queryFn: () => api.analytics.overview(period),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

const day = { day: 'numeric', month: 'short' } as const

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
          <MetricTiles now={now.totals} before={before?.totals} chosen={metric} onChoose={setMetric} />
          <MetricChart
            metric={metric}
            now={now}
            before={before}
            beforeLabel={t('before')}
            intervalLabel={t('day')}
            axisDate={day}
            pointDate={{ ...day, weekday: 'short' }}
            height={180}
          />
        </>
      )}
    </Card>
  )
}
