import { useFormatter } from 'use-intl'
import type { AnalyticsMetric } from './analytics-state.ts'

export function useMetricFormat(): (metric: AnalyticsMetric, value: number) => string {
  const format = useFormatter()
  return (metric, value) =>
    metric === 'clickthrough_rate'
      ? format.number(value, { style: 'percent', maximumFractionDigits: 1 })
      : format.number(value)
}
