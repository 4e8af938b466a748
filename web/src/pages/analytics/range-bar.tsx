import { useTranslations } from 'use-intl'
import { FilterSelect } from '#ui/filter-select.tsx'
import { type AnalyticsState, type RangePreset, rangePresets } from './analytics-state.ts'
import { CustomRange } from './custom-range.tsx'

/** The range: one of the usual ones, or from day to day. */
export function RangeBar({ state }: { readonly state: AnalyticsState }) {
  const t = useTranslations('analytics')
  const { preset, period, change } = state
  return (
    <div className="flex flex-wrap items-end gap-3">
      <FilterSelect<RangePreset>
        label={t('range')}
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
      {preset === 'custom' && <CustomRange period={period} change={change} />}
    </div>
  )
}
