import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isComputedField, type PeopleFilters } from '#records/people/people-data.ts'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { type PeopleFiltersProps, useSignatureChoices } from './people-filters.tsx'

const any = 'any'

function ValueFilter({ fields, filters, onChange }: PeopleFiltersProps) {
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
export default function FilterPanel({ fields, filters, onChange }: PeopleFiltersProps) {
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
