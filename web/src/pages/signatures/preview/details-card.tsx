import type { Signature, SignaturePatch } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { FolderSelect } from '../folder-select.tsx'
import { useSignatureAction } from '../signature-data.ts'

interface InlineFieldProps {
  readonly label: string
  readonly value: string
  readonly onSave: (value: string) => void
  readonly isDisabled: boolean
  readonly hint?: string
  readonly inputMode?: 'numeric'
}

/** Saved when the field is left, or with Enter. */
const InlineField = ({ label, value, onSave, isDisabled, hint, inputMode }: InlineFieldProps) => (
  <TextField
    key={value}
    label={label}
    defaultValue={value}
    isReadOnly={isDisabled}
    hint={hint}
    {...(inputMode && { inputMode })}
    onBlur={event => {
      const text = (event.target as HTMLInputElement).value.trim()
      if (text !== '' && text !== value) onSave(text)
    }}
    onKeyDown={event => event.key === 'Enter' && (event.target as HTMLInputElement).blur()}
  />
)

/** The place of this signature when several reach the same address. */
function usePlace(signature: Signature): { readonly place: number; readonly total: number } | undefined {
  const { data } = useQuery({
    queryKey: ['signatures', 'live'],
    queryFn: () => api.signatures.list({ limit: 100, sort: 'priority' }),
  })
  if (!data) return undefined
  return { place: data.findIndex(({ id }) => id === signature.id) + 1, total: data.length }
}

export function DetailsCard({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const isDisabled = !useCan()('signatures:write')
  const place = usePlace(signature)
  const { mutate } = useSignatureAction<SignaturePatch>({
    run: patch => api.signatures.update(signature.id, patch),
    done: () => t('saved'),
  })
  return (
    <Card title={t('details')}>
      <div className="grid gap-4">
        <InlineField
          label={t('name')}
          value={signature.name}
          onSave={name => mutate({ name })}
          isDisabled={isDisabled}
        />
        <FolderSelect
          value={signature.folder_id}
          onChange={folder_id => mutate({ folder_id })}
          isDisabled={isDisabled}
        />
        <InlineField
          label={t('priority')}
          value={String(signature.priority)}
          onSave={text => mutate({ priority: Number(text) })}
          isDisabled={isDisabled}
          inputMode="numeric"
          hint={`${t('priorityHint')} ${place && place.place > 0 ? t('priorityPlace', place) : ''}`}
        />
      </div>
    </Card>
  )
}
