import type { Signature, SignaturePatch } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useCan } from '../../../api/session.tsx'
import { EditProblem } from '../../../ui/edit-problem.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { FolderSelect } from '../folder-select.tsx'
import { useSignatureAction, useSignatureEdit } from '../signature-data.ts'

interface InlineFieldProps {
  readonly label: string
  readonly value: string
  readonly onBegin: () => void
  readonly onSave: (value: string) => Promise<unknown>
  readonly isDisabled: boolean
  readonly hint?: string
  readonly inputMode?: 'numeric'
}

/** Saved when the field is left, or with Enter. */
function InlineField({ label, value, onBegin, onSave, isDisabled, hint, inputMode }: InlineFieldProps) {
  const [typed, setTyped] = useState<string>()
  const save = async () => {
    const text = typed?.trim() ?? ''
    if (text !== '' && text !== value) await onSave(text).catch(() => {})
    setTyped(undefined)
  }
  return (
    <TextField
      label={label}
      value={typed ?? value}
      onChange={text => {
        if (typed === undefined) onBegin()
        setTyped(text)
      }}
      isReadOnly={isDisabled}
      hint={hint}
      {...(inputMode && { inputMode })}
      onBlur={() => void save()}
      onKeyDown={event => event.key === 'Enter' && (event.target as HTMLInputElement).blur()}
    />
  )
}

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
  const [isEditing, setEditing] = useState(false)
  const edit = useSignatureEdit(signature, { isDirty: isEditing, onDiscard: () => setEditing(false) })
  const saving = useSignatureAction<SignaturePatch>({
    run: edit,
    done: () => t('saved'),
    after: () => setEditing(false),
    showsError: true,
  })
  const fields = { isDisabled, onBegin: () => setEditing(true) }
  return (
    <Card title={t('details')}>
      <div className="grid gap-4">
        <InlineField
          label={t('name')}
          value={signature.name}
          onSave={name => saving.mutateAsync({ name })}
          {...fields}
        />
        <FolderSelect
          value={signature.folder_id}
          onChange={folder_id => saving.mutate({ folder_id })}
          isDisabled={isDisabled}
        />
        <InlineField
          label={t('priority')}
          value={String(signature.priority)}
          onSave={text => saving.mutateAsync({ priority: Number(text) })}
          {...fields}
          inputMode="numeric"
          hint={`${t('priorityHint')} ${place && place.place > 0 ? t('priorityPlace', place) : ''}`}
        />
        <EditProblem
          error={saving.error}
          isPending={saving.isPending}
          onRetry={() => saving.variables && saving.mutate(saving.variables)}
          onReset={saving.reset}
        />
      </div>
    </Card>
  )
}
