import type { ProfileChange, SmartField, Teammate } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { api } from '../../api/client.ts'
import { useCan } from '../../api/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { ChangeNote } from './change-note.tsx'
import { refreshMine, useMyChanges, useMyFields } from './my-data.ts'
import { MyPicture } from './my-picture.tsx'

const inputTypes = { text: 'text', url: 'url', email: 'email', phone: 'tel', image: 'text' } as const

/** What this person may change of their own values. */
export function MyDetails({ teammate }: { readonly teammate: Teammate }) {
  const t = useTranslations('me')
  const shell = useTranslations('shell')
  const fields = useMyFields(teammate)
  const changes = useMyChanges(teammate.id)
  const texts = fields.filter(({ kind }) => kind !== 'image')
  const pictures = fields.filter(({ kind }) => kind === 'image')
  const storedValue = (id: string) =>
    teammate.smart_fields.find(({ smart_field_id }) => smart_field_id === id)?.value ?? ''
  const save = async (form: FormData) => {
    const changed = texts.flatMap(({ id }) => {
      const value = String(form.get(id) ?? '').trim()
      return value === storedValue(id) ? [] : [{ smart_field_id: id, value: value || null }]
    })
    if (changed.length === 0) return 0
    const { body } = await api.teammates.update(teammate.id, { smart_fields: changed }).raw()
    return body.pending_changes?.length ?? 0
  }
  const done = (waiting: number) => {
    toast(waiting > 0 ? t('savedWaits', { count: waiting }) : shell('saved'))
    void refreshMine()
  }
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
            src={storedValue(field.id)}
            change={changes.get(field.id)}
          />
        ))}
        {texts.length > 0 && (
          <Form onSubmit={save} onDone={done}>
            {({ isPending }) => (
              <>
                {texts.map(field => (
                  <MyField
                    key={`${field.id}-${storedValue(field.id)}`}
                    field={field}
                    value={storedValue(field.id)}
                    change={changes.get(field.id)}
                  />
                ))}
                <div>
                  <Button look="primary" type="submit" isPending={isPending}>
                    {shell('save')}
                  </Button>
                </div>
              </>
            )}
          </Form>
        )}
      </div>
    </Card>
  )
}

interface MyFieldProps {
  readonly field: SmartField
  readonly value: string
  readonly change: ProfileChange | undefined
}

function MyField({ field, value, change }: MyFieldProps) {
  const t = useTranslations('me')
  // A manager's own changes need no approval.
  const isGuarded = field.approval === 'required' && !useCan()('teammates:write')
  return (
    <div className="grid gap-2">
      <TextField
        label={field.label}
        name={field.id}
        type={inputTypes[field.kind]}
        defaultValue={value}
        {...(isGuarded && { hint: t('needsApproval') })}
      />
      {change && <ChangeNote change={change} />}
    </div>
  )
}
