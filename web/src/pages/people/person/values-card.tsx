// The values of a person, as a form.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { useSourceName } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { isComputedField, lockOf, useSmartFields } from '#records/people/people-data.ts'

import { usePersonValues } from '#records/people/person-values.ts'
import { TextLink } from '#ui/base/text-link.tsx'
import { TextField } from '#ui/form/field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Card } from '#ui/layout/page.tsx'

const inputModes = { text: 'text', url: 'url', email: 'email', phone: 'tel', image: 'text' } as const

interface ValueFieldProps {
  readonly field: SmartField
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueField({ field, value, onChange }: ValueFieldProps) {
  const t = useTranslations('people.values')
  const can = useCan()
  const sourceName = useSourceName()
  const lock = lockOf(field)
  const hint =
    lock === 'directory'
      ? t('fromDirectory', { name: sourceName(field.integration_id) ?? t('yourDirectory') })
      : field.editable_by_owner
        ? t(field.approval === 'required' ? 'ownerAsks' : 'ownerEdits')
        : undefined
  const fallback = field.fallback ? t('fallback', { value: field.fallback }) : ''
  return (
    <TextField
      name={field.id}
      label={field.label}
      value={value}
      onChange={onChange}
      inputMode={inputModes[field.kind]}
      isReadOnly={lock !== null || !can('teammates:write')}
      isDisabled={lock !== null}
      placeholder={fallback}
      maxLength={5_000}
      {...(hint !== undefined && { hint })}
    />
  )
}

export function ValuesCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.values')
  const fields = useSmartFields().filter(field => field.kind !== 'image' && !isComputedField(field))
  const { draft, change, form } = usePersonValues(
    person.id,
    id => fields.find(field => field.id === id)?.label ?? '',
  )
  return (
    <Card title={t('title')} about={t('about')} actions={<TextLink to="/fields">{t('fields')}</TextLink>}>
      <ResourceForm {...form}>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(field => (
            <ValueField
              key={field.id}
              field={field}
              value={draft[field.id] ?? ''}
              onChange={value => change({ [field.id]: value })}
            />
          ))}
        </div>
      </ResourceForm>
    </Card>
  )
}
