// A number of days, or without an end.
import { useTranslations } from 'use-intl'
import { RadioChoice } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'

interface DaysFieldProps {
  readonly label: string
  readonly name: string
  readonly value: number | null
  readonly onChange: (days: number | null) => void
  readonly foreverLabel: string
  readonly foreverHint: string
  readonly daysLabel: string
  readonly daysHint: string
  /** Set when the choice of a number is made. */
  readonly initial: number
  readonly isReadOnly: boolean
}

export function DaysField(props: DaysFieldProps) {
  const {
    label,
    name,
    value,
    onChange,
    foreverLabel,
    foreverHint,
    daysLabel,
    daysHint,
    initial,
    isReadOnly,
  } = props
  const t = useTranslations('settings.workspace')
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={label}
        value={value === null ? 'forever' : 'days'}
        onChange={id => onChange(id === 'forever' ? null : initial)}
        options={[
          { id: 'forever', label: foreverLabel, hint: foreverHint },
          { id: 'days', label: daysLabel, hint: daysHint },
        ]}
        isDisabled={isReadOnly}
      />
      {value !== null && (
        <TextField
          label={t('days')}
          name={name}
          type="number"
          inputMode="numeric"
          value={String(value)}
          onChange={text => onChange(Math.trunc(Number(text)) || 1)}
          isReadOnly={isReadOnly}
          className="max-w-40"
        />
      )}
    </div>
  )
}
