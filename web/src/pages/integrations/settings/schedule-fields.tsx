import { useTranslations } from 'use-intl'
import { TextField } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'

interface ScheduleFieldProps {
  /** Minutes; null: by request only. */
  readonly value: number | null
  readonly onChange: (minutes: number | null) => void
  readonly isReadOnly: boolean
}

const usual = [5, 15, 30, 60, 360, 1_440]

export function ScheduleField({ value, onChange, isReadOnly }: ScheduleFieldProps) {
  const t = useTranslations('integrations.settings')
  const minutes = [...new Set([...usual, ...(value === null ? [] : [value])])].sort((a, b) => a - b)
  const labelOf = (count: number) =>
    count % 60 === 0 ? t('everyHours', { count: count / 60 }) : t('everyMinutes', { count })
  return (
    <Select
      label={t('labels.sync_minutes')}
      hint={t('scheduleHint')}
      value={String(value)}
      onChange={id => onChange(id === 'null' ? null : Number(id))}
      isDisabled={isReadOnly}
      className="max-w-xs"
      options={[
        ...minutes.map(count => ({ id: String(count), label: labelOf(count) })),
        { id: 'null', label: t('byRequest') },
      ]}
    />
  )
}

interface GraceFieldProps {
  readonly value: number
  readonly onChange: (days: number) => void
  readonly isReadOnly: boolean
}

export function GraceField({ value, onChange, isReadOnly }: GraceFieldProps) {
  const t = useTranslations('integrations.settings')
  return (
    <TextField
      name="grace_days"
      label={t('labels.grace_days')}
      hint={t('graceHint', { days: value })}
      value={String(value)}
      onChange={text => onChange(Math.min(365, Number(text.replaceAll(/\D/g, '').slice(0, 3))))}
      inputMode="numeric"
      isReadOnly={isReadOnly}
      className="max-w-xs"
    />
  )
}
