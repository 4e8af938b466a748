import type { ProfileChange, SmartField, Teammate } from '@signoff/sdk'
import { Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { valueIn } from '#records/people/people-data.ts'

import { usePersonValues } from '#records/people/person-values.ts'
import { TextField } from '#ui/form/field.tsx'
import { ResourceForm } from '#ui/form/resource-form.tsx'
import { Card, Skeleton } from '#ui/layout/page.tsx'
import { ChangeNote } from './change-note.tsx'
import { refreshMine, useMyChanges, useMyFields } from './my-data.ts'
import { MyPicture } from './my-picture.tsx'

const inputTypes = { text: 'text', url: 'url', email: 'email', phone: 'tel', image: 'text' } as const

/** What this person may change of their own values. */
export function MyDetails({ teammate }: { readonly teammate: Teammate }) {
  const t = useTranslations('me')
  const fields = useMyFields(teammate)
  const changes = useMyChanges(teammate.id)
  const texts = fields.filter(({ kind }) => kind !== 'image')
  const pictures = fields.filter(({ kind }) => kind === 'image')
  if (fields.length === 0)
    return (
      <Card title={t('details')}>
        <p className="text-muted">{t('nothingEditable')}</p>
      </Card>
    )
  return (
    <Card title={t('details')} about={t('detailsAbout')}>
      <div className="grid gap-5">
        {pictures.map(field => (
          <MyPicture
            key={field.id}
            teammate={teammate}
            field={field}
            src={valueIn(teammate, field.id) ?? ''}
            change={changes.get(field.id)}
          />
        ))}
        {texts.length > 0 && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <MyTexts teammateId={teammate.id} fields={texts} changes={changes} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}

interface MyTextsProps {
  readonly teammateId: string
  readonly fields: readonly SmartField[]
  readonly changes: ReadonlyMap<string, ProfileChange>
}

function MyTexts({ teammateId, fields, changes }: MyTextsProps) {
  const t = useTranslations('me')
  const { draft, change, form } = usePersonValues(
    teammateId,
    id => fields.find(field => field.id === id)?.label ?? '',
    () => void refreshMine(),
  )
  return (
    <ResourceForm {...form} savedText={count => (count > 0 ? t('savedWaits', { count }) : undefined)}>
      {fields.map(field => (
        <MyField
          key={field.id}
          field={field}
          value={draft[field.id] ?? ''}
          onChange={value => change({ [field.id]: value })}
          change={changes.get(field.id)}
        />
      ))}
    </ResourceForm>
  )
}

interface MyFieldProps {
  readonly field: SmartField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly change: ProfileChange | undefined
}

function MyField({ field, value, onChange, change }: MyFieldProps) {
  const t = useTranslations('me')
  // A manager's own changes need no approval.
  const isGuarded = field.approval === 'required' && !useCan()('teammates:write')
  return (
    <div className="grid gap-2">
      <TextField
        label={field.label}
        name={field.id}
        type={inputTypes[field.kind]}
        value={value}
        onChange={onChange}
        maxLength={5_000}
        {...(isGuarded && { hint: t('needsApproval') })}
      />
      {change && <ChangeNote change={change} />}
    </div>
  )
}
