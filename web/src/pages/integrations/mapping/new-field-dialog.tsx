// A smart field that is made from an attribute, and filled by it.
import type { IntegrationAttribute, SmartFieldInput } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Select } from '#ui/form/select.tsx'
import { refreshDirectories } from '../data.ts'
import { photoPath } from './use-mapping.ts'

type FieldKind = NonNullable<SmartFieldInput['kind']>
const textKinds = ['text', 'phone', 'email', 'url'] as const

/** The kind that all examples look like. */
function guessedKind({ attribute, examples }: IntegrationAttribute): FieldKind {
  const all = (pattern: RegExp) => examples.length > 0 && examples.every(example => pattern.test(example))
  if (attribute === photoPath) return 'image'
  if (all(/^https?:\/\//)) return 'url'
  if (all(/^\S+@\S+$/)) return 'email'
  return all(/^[+(\d][\d\s()/.-]{5,}$/) ? 'phone' : 'text'
}

interface NewFieldDialogProps {
  readonly integrationId: string
  readonly attribute: IntegrationAttribute
  readonly onClose: () => void
}

export default function NewFieldDialog({ integrationId, attribute, onClose }: NewFieldDialogProps) {
  const t = useTranslations('integrations.mapping')
  const [kind, setKind] = useState<FieldKind>(guessedKind(attribute))
  const create = (form: FormData) =>
    api.smartFields.create({
      label: String(form.get('label')).trim(),
      kind,
      integration_id: integrationId,
      integration_attribute: attribute.attribute,
    })
  return (
    <FormDialog
      title={t('newTitle')}
      onClose={onClose}
      isModalOnly
      onSubmit={create}
      onDone={({ label }) => {
        toast(t('saved', { field: label, attribute: attribute.label }))
        void refreshDirectories()
        onClose()
      }}
      action={t('newCreate')}
    >
      <p className="text-muted">{t('newAbout', { attribute: attribute.label })}</p>
      <TextField
        name="label"
        label={t('newLabel')}
        defaultValue={attribute.label.slice(0, 80)}
        hint={attribute.examples.length > 0 ? t('examples', { values: attribute.examples.join(', ') }) : ''}
        isRequired
        autoFocus
      />
      {kind !== 'image' && (
        <Select
          label={t('newKind')}
          value={kind}
          onChange={setKind}
          options={textKinds.map(id => ({ id, label: t(`kinds.${id}`) }))}
        />
      )}
    </FormDialog>
  )
}
