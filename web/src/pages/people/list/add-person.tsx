import type { SmartField } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { peopleKey } from '#records/people/people-data.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'

const asked = ['first_name', 'last_name', 'job_title', 'department', 'work_phone']

interface AddPersonProps {
  readonly fields: readonly SmartField[]
  readonly onClose: () => void
}

export function AddPersonDialog({ fields, onClose }: AddPersonProps) {
  const t = useTranslations('people')
  const navigate = useNavigate()
  const shown = fields.filter(({ key }) => asked.includes(key))
  const valuesIn = (form: FormData) =>
    shown.flatMap(({ id }) => {
      const value = String(form.get(id) ?? '').trim()
      return value ? [{ smart_field_id: id, value }] : []
    })
  const controlOf = (field: string, form: FormData) => {
    const place = /smart_fields\[(\d+)\]/.exec(field)?.[1]
    return place === undefined ? undefined : valuesIn(form)[Number(place)]?.smart_field_id
  }
  const create = (form: FormData) => {
    const values = valuesIn(form)
    return api.teammates.create({ email: String(form.get('email')).trim(), smart_fields: values })
  }
  return (
    <FormDialog
      title={t('add')}
      onClose={onClose}
      isModalOnly
      onSubmit={create}
      controlOf={controlOf}
      onDone={({ id, email }) => {
        void queryClient.invalidateQueries({ queryKey: peopleKey })
        toast(t('added', { email }))
        onClose()
        void navigate({ to: `/people/${id}` as string })
      }}
      action={t('add')}
    >
      <TextField name="email" type="email" label={t('address')} isRequired autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        {shown.map(({ id, label }) => (
          <TextField key={id} name={id} label={label} />
        ))}
      </div>
      <p className="text-[0.8125rem] text-muted">{t('addHint')}</p>
    </FormDialog>
  )
}
