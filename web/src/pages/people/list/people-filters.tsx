// Narrows the list of people. Filters that are set stand as chips, which take them away.
import type { SmartField } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { isComputedField, type PeopleFilters } from '#records/people/people-data.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { PopoverButton } from '#ui/overlay/popover-button.tsx'

const any = 'any'

function ValueFilter({ fields, filters, onChange }: FiltersProps) {
  const t = useTranslations('people.filters')
  const [value, setValue] = useState(filters.value ?? '')
  const [field, setField] = useState(filters.field ?? null)
  const apply = () => field && onChange({ field, value: value.trim() })
  return (
    <form
      className="grid gap-2"
      onSubmit={event => {
        event.preventDefault()
        apply()
      }}
    >
      <Select
        label={t('field')}
        placeholder={t('chooseField')}
        value={field}
        onChange={setField}
        options={fields.filter(({ kind }) => kind !== 'image').map(({ key, label }) => ({ id: key, label }))}
      />
      <div className="flex items-end gap-2">
        <TextField label={t('is')} value={value} onChange={setValue} className="flex-1" />
        <Button type="submit" isDisabled={!field || !value.trim()}>
          {t('apply')}
        </Button>
      </div>
    </form>
  )
}

/** The choices of the filters of people, in a popover. */
function FilterPanel({ fields, filters, onChange }: FiltersProps) {
  const t = useTranslations('people.filters')
  const signatures = useSignatureChoices()
  const choice = (name: keyof PeopleFilters) => (id: string) => onChange({ [name]: id === any ? '' : id })
  return (
    <div className="grid w-72 max-w-full gap-3 p-2">
      <Select
        label={t('active')}
        value={filters.active ?? any}
        onChange={choice('active')}
        options={[
          { id: any, label: t('all') },
          { id: 'yes', label: t('activeYes') },
          { id: 'no', label: t('activeNo') },
        ]}
      />
      <Select
        label={t('missing')}
        value={filters.missing ?? any}
        onChange={choice('missing')}
        options={[
          { id: any, label: t('nothing') },
          ...fields.filter(field => !isComputedField(field)).map(({ key, label }) => ({ id: key, label })),
        ]}
      />
      <Select
        label={t('signature')}
        value={filters.signature ?? any}
        onChange={choice('signature')}
        options={[
          { id: any, label: t('all') },
          { id: 'none', label: t('noSignature') },
          ...signatures.map(({ id, name }) => ({ id, label: name })),
        ]}
      />
      <Select
        label={t('source')}
        value={filters.source ?? any}
        onChange={choice('source')}
        options={[
          { id: any, label: t('all') },
          { id: 'manual', label: t('sourceManual') },
          { id: 'directory', label: t('sourceDirectory') },
        ]}
      />
      <ValueFilter {...{ fields, filters, onChange }} />
    </div>
  )
}

interface FiltersProps {
  readonly fields: readonly SmartField[]
  readonly filters: PeopleFilters
  readonly onChange: (change: PeopleFilters) => void
}

const useSignatureChoices = () =>
  useQuery({
    queryKey: ['signatures', 'choices'],
    queryFn: () => api.signatures.list({ limit: 100, sort: 'name' }),
  }).data ?? []

export const PeopleFilterButton = (props: FiltersProps) => {
  const t = useTranslations('people.filters')
  return (
    <PopoverButton icon="list-filter" label={t('title')}>
      <FilterPanel {...props} />
    </PopoverButton>
  )
}

/** The filters that are set, in words. */
export function PeopleFilterChips({ fields, filters, onChange }: FiltersProps) {
  const t = useTranslations('people.filters')
  const signatures = useSignatureChoices()
  const labelOf = (key: string | undefined) => fields.find(field => field.key === key)?.label ?? key ?? ''
  const { missing, field, value, signature, active, source } = filters
  const name = signatures.find(({ id }) => id === signature)?.name ?? '…'
  const chips: readonly (readonly [string, PeopleFilters] | false)[] = [
    !!missing && [t('chipMissing', { field: labelOf(missing) }), { missing: '' }],
    !!field && !!value && [t('chipValue', { field: labelOf(field), value }), { field: '', value: '' }],
    !!signature && [
      signature === 'none' ? t('noSignature') : t('chipSignature', { name }),
      { signature: '' },
    ],
    !!active && [active === 'yes' ? t('activeYes') : t('activeNo'), { active: '' }],
    !!source && [source === 'directory' ? t('sourceDirectory') : t('sourceManual'), { source: '' }],
  ]
  const activeChips = chips.filter(chip => chip !== false)
  if (activeChips.length === 0) return null
  return (
    <ul className="mb-3 flex flex-wrap gap-2" aria-label={t('title')}>
      {activeChips.map(([label, change]) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChange(change)}
            aria-label={t('remove', { filter: label })}
            className="flex min-h-7 items-center gap-1.5 rounded-full bg-accent-soft ps-3 pe-2 text-[0.8125rem] font-medium text-accent hover:bg-sunken"
          >
            {label}
            <Icon name="x" size={13} />
          </button>
        </li>
      ))}
    </ul>
  )
}
