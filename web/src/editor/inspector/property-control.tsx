// The control of one property, as the schema describes it.
import type { Href, IconName } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Select } from '#ui/form/select.tsx'
import type { ContrastCheck } from '../colors/safe-color.ts'
import { ColorInput } from './color-input.tsx'
import { IconInput } from './icon-input.tsx'
import { useInspector } from './inspector-data.ts'
import { LinkField } from './link-field.tsx'
import { NumberInput } from './number-input.tsx'
import type { Property } from './properties.ts'

interface PropertyControlProps {
  readonly property: Property
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** For colours. */
  readonly checks?: readonly ContrastCheck[]
  /** The number that applies without a value. */
  readonly standard?: number | undefined
}

type ChoiceName = Parameters<ReturnType<typeof useTranslations<'editor.choices'>>>[0]
type PropertyName = Parameters<ReturnType<typeof useTranslations<'editor.properties'>>>[0]

function ChoiceControl({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly string[]
  value: unknown
  onChange: (value: unknown) => void
}) {
  const t = useTranslations('editor.choices')
  const shown = options.map(id => ({ id, label: t(id as ChoiceName) }))
  if (options.length > 3)
    return <Select label={label} options={shown} value={(value as string) ?? null} onChange={onChange} />
  return (
    <div>
      <p className="mb-1 text-[0.8125rem] font-medium">{label}</p>
      <Segments label={label} options={shown} value={(value as string) ?? ''} onChange={onChange} />
    </div>
  )
}

export function PropertyControl(props: PropertyControlProps) {
  const {
    property: { name, control },
    value,
    onChange,
    checks = [],
    standard,
  } = props
  const t = useTranslations('editor.properties')
  const { brandColors } = useInspector()
  const label = t(name as PropertyName)
  switch (control.kind) {
    case 'choice':
      return <ChoiceControl label={label} options={control.options} value={value} onChange={onChange} />
    case 'number':
      return (
        <NumberInput
          label={label}
          value={value as number | undefined}
          minimum={control.minimum}
          maximum={control.maximum}
          {...(standard !== undefined && { placeholder: String(standard) })}
          onChange={onChange}
        />
      )
    case 'color':
      return (
        <ColorInput
          label={label}
          value={value as string | undefined}
          brandColors={brandColors}
          checks={checks}
          onChange={onChange}
        />
      )
    case 'switch':
      return (
        <Switch
          label={label}
          isSelected={value === true}
          onChange={isSelected => onChange(isSelected ? true : undefined)}
        />
      )
    case 'text':
      return (
        <TextField
          label={label}
          value={(value as string | undefined) ?? ''}
          maxLength={control.maxLength}
          onChange={onChange}
        />
      )
    case 'icon':
      return <IconInput label={label} value={value as IconName | undefined} onChange={onChange} />
    case 'link':
      return <LinkField label={label} value={value as Href | undefined} onChange={onChange} />
  }
}
