// When a campaign runs. It brings the calendar along: load it with `lazy`.
import { type CalendarDateTime, parseDateTime } from '@internationalized/date'
import { memo, useCallback, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { RadioChoice } from '#ui/form/choice.tsx'
import { DatePicker } from '#ui/form/date-picker.tsx'
import { Select } from '#ui/form/select.tsx'
import { endsInPast, endsTooEarly, type ScheduleDraft } from './schedule-draft.ts'

interface ScheduleFieldsProps {
  readonly value: ScheduleDraft
  readonly onChange: (draft: ScheduleDraft) => void
  /** A campaign that runs has begun: its start stays. */
  readonly hasBegun?: boolean
}

/** 9 o'clock on the day in so many days. */
function morningIn(days: number): string {
  const day = new Date(Date.now() + days * 86_400_000)
  return `${day.toISOString().slice(0, 10)}T09:00`
}

const textOf = (value: CalendarDateTime | null): string | null =>
  value === null ? null : value.toString().slice(0, 16)

const pickerValue = (text: string): CalendarDateTime => parseDateTime(text)

const allZones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

interface TimeZoneSelectProps {
  readonly value: string
  readonly onChange: (timeZone: string) => void
}

/** Drawn anew only for another time zone: 400 options for each key that is typed into a date are slow. */
const TimeZoneSelect = memo(({ value, onChange }: TimeZoneSelectProps) => {
  const t = useTranslations('campaigns.schedule')
  const zones = [...new Set([value, ...allZones])]
  return (
    <Select
      label={t('timeZone')}
      hint={t('timeZoneHint')}
      value={value}
      onChange={onChange}
      options={zones.map(id => ({ id, label: id.replaceAll('_', ' ') }))}
    />
  )
})

export function ScheduleFields({ value, onChange, hasBegun = false }: ScheduleFieldsProps) {
  const t = useTranslations('campaigns.schedule')
  const zoneHint = t('inZone', { zone: value.timeZone.replaceAll('_', ' ') })
  const latest = useRef({ value, onChange })
  useEffect(() => {
    latest.current = { value, onChange }
  })
  const changeZone = useCallback(
    (timeZone: string) => latest.current.onChange({ ...latest.current.value, timeZone }),
    [],
  )
  return (
    <div className="grid gap-4">
      {!hasBegun && (
        <RadioChoice<'now' | 'at'>
          label={t('start')}
          value={value.start === null ? 'now' : 'at'}
          onChange={id => onChange({ ...value, start: id === 'now' ? null : morningIn(1) })}
          options={[
            { id: 'now', label: t('startNow') },
            { id: 'at', label: t('startAt') },
          ]}
        />
      )}
      {value.start !== null && (
        <DatePicker<CalendarDateTime>
          label={t('startTime')}
          granularity="minute"
          isDisabled={hasBegun}
          value={pickerValue(value.start)}
          hint={zoneHint}
          onChange={start => onChange({ ...value, start: textOf(start) ?? value.start })}
        />
      )}
      <RadioChoice<'never' | 'at'>
        label={t('end')}
        value={value.end === null ? 'never' : 'at'}
        onChange={id => onChange({ ...value, end: id === 'never' ? null : morningIn(30) })}
        options={[
          { id: 'never', label: t('endNever') },
          { id: 'at', label: t('endAt') },
        ]}
      />
      {value.end !== null && (
        <DatePicker<CalendarDateTime>
          label={t('endTime')}
          granularity="minute"
          value={pickerValue(value.end)}
          onChange={end => onChange({ ...value, end: textOf(end) ?? value.end })}
          error={endsInPast(value) ? t('endsInPast') : endsTooEarly(value) ? t('endsTooEarly') : undefined}
          hint={zoneHint}
        />
      )}
      <TimeZoneSelect value={value.timeZone} onChange={changeZone} />
    </div>
  )
}
