import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { Select } from '../../ui/select.tsx'
import { type AnalyticsState, type RangePreset, rangePresets } from './analytics-state.ts'

const CustomRange = lazy(() => import('./custom-range.tsx'))

/** The range: one of the usual ones, or from day to day. */
export function RangeBar({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const { preset, period, change } = state
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select<RangePreset>
        label={t('range')}
        isLabelHidden
        value={preset}
        onChange={range =>
          change(
            range === 'custom'
              ? { range, from: period.start_date, to: period.end_date }
              : { range: range === 'month' ? undefined : range, from: undefined, to: undefined },
          )
        }
        options={rangePresets.map(id => ({ id, label: t(`ranges.${id}`) }))}
        className="w-44"
      />
      {preset === 'custom' && (
        <Suspense fallback={<div className="h-14 w-72" />}>
          <CustomRange period={period} change={change} />
        </Suspense>
      )}
    </div>
  )
}
