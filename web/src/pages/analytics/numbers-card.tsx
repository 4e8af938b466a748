// Views, clicks and rate with their change, and the chosen one as a line beside that of the period before.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Button } from '#ui/base/button.tsx'
import { MetricChart } from '#ui/chart/metric-chart.tsx'
import { MetricTiles } from '#ui/chart/metric-tiles.tsx'
import { Card, LoadError, Skeleton } from '#ui/layout/page.tsx'
import type { AnalyticsPeriod, AnalyticsState } from './analytics-state.ts'

export const analyticsOverviewQuery = ({ interval, query }: AnalyticsState, period: AnalyticsPeriod) => ({
  queryKey: ['analytics', 'overview', period, interval, query],
  queryFn: () => api.analytics.overview({ ...period, ...query, interval }),
  staleTime: 60_000,
  placeholderData: keepPreviousData,
})

interface NumbersCardProps {
  readonly state: AnalyticsState
  readonly onEvents: (name: '$view' | '$click') => void
}

export function AnalyticsNumbers({ state, onEvents }: NumbersCardProps) {
  const t = useTranslations('analytics')
  const { data: now, error, refetch } = useQuery(analyticsOverviewQuery(state, state.period))
  const { data: before } = useQuery(analyticsOverviewQuery(state, state.before))
  const isMonthly = state.interval === 'month'
  const date = {
    month: 'short',
    ...(isMonthly ? { year: 'numeric' as const } : { day: 'numeric' as const }),
  } as const
  return (
    <Card
      title={t('overTime')}
      about={t('comparedAbout')}
      actions={
        <>
          <Button isSmall variant="quiet" icon="eye" onPress={() => onEvents('$view')}>
            {t('showViews')}
          </Button>
          <Button isSmall variant="quiet" icon="target" onPress={() => onEvents('$click')}>
            {t('showClicks')}
          </Button>
        </>
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!now && !error && <Skeleton lines={8} />}
      {now && (
        <>
          <MetricTiles
            now={now.totals}
            before={before?.totals}
            chosen={state.metric}
            onChoose={metric => state.change({ metric: metric === 'views' ? undefined : metric })}
          />
          <MetricChart
            metric={state.metric}
            now={now}
            before={before}
            beforeLabel={t('before')}
            intervalLabel={t(`intervals.${state.interval}`)}
            axisDate={date}
            pointDate={{ ...date, year: 'numeric' }}
            height={240}
          />
        </>
      )}
    </Card>
  )
}
