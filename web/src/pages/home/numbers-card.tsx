// Views and clicks of 30 days, beside the 30 days before.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { MetricChart } from '#ui/chart/metric-chart.tsx'
import { type Metric, MetricTiles } from '#ui/chart/metric-tiles.tsx'
import { Card, LoadError, Skeleton } from '#ui/page.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { daysBefore, lastDays } from './periods.ts'

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
