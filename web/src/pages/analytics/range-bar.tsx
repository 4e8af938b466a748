import { type CalendarDate, parseDate } from '@internationalized/date'
import { useTranslations } from 'use-intl'
import { DatePicker } from '#ui/form/date-picker.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { type AnalyticsState, type RangePreset, rangePresets } from './analytics-state.ts'

type CustomRangeProps = Pick<AnalyticsState, 'period' | 'change'>

function CustomRange({ period, change }: CustomRangeProps) {
  const t = useTranslations('analytics')
  const [from, to] = [parseDate(period.start_date), parseDate(period.end_date)]
  return (
    <>
      <DatePicker<CalendarDate>
        label={t('from')}
        value={from}
        maxValue={to}
        onChange={day => day && change({ from: day.toString(), to: to.toString() })}
      />
      <DatePicker<CalendarDate>
        label={t('to')}
        value={to}
        minValue={from}
        onChange={day => day && change({ from: from.toString(), to: day.toString() })}
      />
    </>
  )
}

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
