// Numbers with their change against the period before; the chosen one is drawn as a line below.
import { useFormatter, useTranslations } from 'use-intl'
import { classes } from '../base/classes.ts'
import { Icon } from '../base/icon.tsx'

/** The totals of the analytics API that people compare. */
export const metrics = ['views', 'clicks', 'clickthrough_rate'] as const
export type Metric = (typeof metrics)[number]

export function useMetricFormat(): (metric: Metric, value: number) => string {
  const format = useFormatter()
  return (metric, value) =>
    metric === 'clickthrough_rate'
      ? format.number(value, { style: 'percent', maximumFractionDigits: 1 })
      : format.number(value)
}

function MetricChange({ now, before }: { readonly now: number; readonly before: number }) {
  const t = useTranslations('shell.metrics')
  const format = useFormatter()
  if (before === 0) return <span className="text-xs text-muted">{t('noBefore')}</span>
  const change = (now - before) / before
  const isUp = change >= 0
  return (
    <span
      className={classes('flex items-center gap-0.5 text-xs font-medium', isUp ? 'text-good' : 'text-bad')}
    >
      <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={12} />
      {format.number(Math.abs(change), { style: 'percent', maximumFractionDigits: 0 })}
      <span className="sr-only">{t(isUp ? 'more' : 'less')}</span>
    </span>
  )
}

type Totals = Readonly<Record<Metric, number>>

interface MetricTilesProps {
  readonly now: Totals
  readonly before: Totals | undefined
  readonly chosen: Metric
  readonly onChoose: (metric: Metric) => void
}

export function MetricTiles({ now, before, chosen, onChoose }: MetricTilesProps) {
  const t = useTranslations('shell.metrics')
  const formatNumber = useMetricFormat()
  return (
    <div className="mb-4 grid grid-cols-1 gap-2 min-[26rem]:grid-cols-3">
      {metrics.map(metric => (
        <button
          key={metric}
          type="button"
          aria-pressed={metric === chosen}
          onClick={() => onChoose(metric)}
          className={classes(
            'rounded-xl border px-3.5 py-2.5 text-start',
            metric === chosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-edge',
          )}
        >
          <span className="block text-[0.8125rem] text-muted">{t(metric)}</span>
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-xl leading-7 font-semibold tracking-tight tabular-nums">
              {formatNumber(metric, now[metric])}
            </span>
            {before && <MetricChange now={now[metric]} before={before[metric]} />}
          </span>
        </button>
      ))}
    </div>
  )
}
