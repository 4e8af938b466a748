// The control of one property, as the schema describes it.
import type { Href, IconName } from '@signoff/render'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Select } from '#ui/form/select.tsx'
import { useSchemaName } from '../blocks/block-names.ts'
import { ColorInput } from '../inputs/color-input.tsx'
import { IconInput } from '../inputs/icon-input.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { LinkField } from '../inputs/link-field.tsx'
import { NumberInput } from '../inputs/number-input.tsx'
import type { ContrastCheck } from '../model/colors.ts'
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
  const nameOf = useSchemaName('choices')
  const choices = options.map(id => ({ id, label: nameOf(id) }))
  if (options.length > 3)
    return <Select label={label} options={choices} value={(value as string) ?? null} onChange={onChange} />
  return (
    <div>
      <p className="mb-1 text-[0.8125rem] font-medium">{label}</p>
      <Segments label={label} options={choices} value={(value as string) ?? ''} onChange={onChange} />
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
  const nameOf = useSchemaName('properties')
  const { brandColors } = useInspector()
  const label = nameOf(name)
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
