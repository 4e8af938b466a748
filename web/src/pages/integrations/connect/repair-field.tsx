// What happens when a signature in a mailbox is not the one that was written.
import { useTranslations } from 'use-intl'
import { RadioChoice } from '#ui/choice.tsx'

const modes = ['report', 'restore', 'off'] as const

interface RepairFieldProps {
  readonly label: string
  /** Empty: the default of the API. */
  readonly value: string
  readonly onChange: (mode: string) => void
}

export function RepairField({ label, value, onChange }: RepairFieldProps) {
  const t = useTranslations('integrations.fields.repair')
  return (
    <RadioChoice
      label={label}
      value={modes.find(mode => mode === value) ?? 'report'}
      onChange={onChange}
      options={modes.map(id => ({ id, label: t(`${id}.label`), hint: t(`${id}.hint`) }))}
    />
  )
}
