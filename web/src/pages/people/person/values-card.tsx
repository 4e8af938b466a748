// The values of a person, as a form.
import type { SmartField, Teammate } from '@signoff/sdk'
import { type FormEvent, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useTranslations } from 'use-intl'
import { useFieldErrors, useMessageOf } from '../../../api/error-texts.ts'
import { useCan } from '../../../api/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Actions } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Card, Notice } from '../../../ui/page.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { toast } from '../../../ui/toast.tsx'
import { isComputedField, lockOf, useSmartFields, valueIn } from '../people-data.ts'
import { usePerson } from './person-data.ts'

type Draft = Readonly<Record<string, string>>

const inputModes = { text: 'text', url: 'url', email: 'email', phone: 'tel', image: 'text' } as const

interface ValueFieldProps {
  readonly field: SmartField
  readonly person: Teammate
  readonly value: string
  readonly onChange: (value: string) => void
}

function ValueField({ field, person, value, onChange }: ValueFieldProps) {
  const t = useTranslations('people.values')
  const can = useCan()
  const lock = lockOf(field, person)
  const hint =
    lock === 'directory'
      ? t('fromDirectory')
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

/** Problems by the id of the field; the API names places in the list that was sent. */
const errorsById = (errors: Record<string, string>, sent: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([place, text]) => {
      const index = /^smart_fields\[(\d+)\]/.exec(place)?.[1]
      const id = index === undefined ? undefined : sent[Number(index)]
      return id === undefined ? [] : [[id, text]]
    }),
  )

export function ValuesCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.values')
  const shell = useTranslations('shell')
  const messageOf = useMessageOf()
  const fields = useSmartFields().filter(field => field.kind !== 'image' && !isComputedField(field))
  const [draft, setDraft] = useState<Draft>({})
  const resource = usePerson(person.id, () => {
    setDraft({})
    toast(shell('saved'))
  })
  const { save, isSaving, error, hasConflict, discard } = resource
  const changed = Object.entries(draft).filter(([id, value]) => value.trim() !== (valueIn(person, id) ?? ''))
  const patch = {
    smart_fields: changed.map(([id, value]) => ({ smart_field_id: id, value: value.trim() || null })),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(patch)
  }
  const problems = errorsById(
    useFieldErrors()(error),
    changed.map(([id]) => id),
  )
  const reset = () => {
    setDraft({})
    discard()
  }
  return (
    <Card title={t('title')} about={t('about')} actions={<TextLink to="/fields">{t('fields')}</TextLink>}>
      <Form onSubmit={submit} validationErrors={problems}>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(field => (
            <ValueField
              key={field.id}
              {...{ field, person }}
              value={draft[field.id] ?? valueIn(person, field.id) ?? ''}
              onChange={value => setDraft({ ...draft, [field.id]: value })}
            />
          ))}
        </div>
        {error && (
          <div role="alert" className="mt-4">
            <Notice kind={hasConflict ? 'warn' : 'bad'}>
              {hasConflict ? shell('staleText') : messageOf(error)}
            </Notice>
          </div>
        )}
        {changed.length > 0 && (
          <Actions>
            <Button onPress={reset}>{hasConflict ? shell('takeTheirs') : shell('cancel')}</Button>
            {hasConflict ? (
              <Button look="primary" isPending={isSaving} onPress={() => save(patch, { overwrite: true })}>
                {shell('takeMine')}
              </Button>
            ) : (
              <Button type="submit" look="primary" isPending={isSaving}>
                {shell('save')}
              </Button>
            )}
          </Actions>
        )}
      </Form>
    </Card>
  )
}
