import { type CalendarDate, parseDate } from '@internationalized/date'
import { useTranslations } from 'use-intl'
import { DatePicker } from '#ui/form/date-picker.tsx'
import type { AnalyticsState } from './analytics-state.ts'

type CustomRangeProps = Pick<AnalyticsState, 'period' | 'change'>

export default function CustomRange({ period, change }: CustomRangeProps) {
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
