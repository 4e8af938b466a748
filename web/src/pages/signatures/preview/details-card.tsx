import type { Signature, SignaturePatch } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { moveSignature } from '#records/signatures/priorities.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { EditProblem } from '#ui/feedback/edit-problem.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card } from '#ui/layout/page.tsx'
import { FolderSelect } from '../folder-select.tsx'
import { useSignatureEdit } from '../signature-edit.ts'

/** A priority is a whole number of at most nine digits. */
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 9)

interface InlineFieldProps {
  readonly label: string
  readonly value: string
  readonly onBegin: () => void
  readonly onSave: (value: string) => Promise<unknown>
  readonly isDisabled: boolean
  readonly hint?: string
  readonly inputMode?: 'numeric'
  /** Leaves out what the field does not take. */
  readonly clean?: (text: string) => string
}

/** Saved when the field is left, or with Enter. */
function InlineField(props: InlineFieldProps) {
  const { label, value, onBegin, onSave, isDisabled, hint, inputMode, clean = text => text } = props
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
        setTyped(clean(text))
      }}
      isReadOnly={isDisabled}
      hint={hint}
      {...(inputMode && { inputMode })}
      onBlur={() => void save()}
      onKeyDown={event => event.key === 'Enter' && (event.target as HTMLInputElement).blur()}
    />
  )
}

/** The position of this signature when several reach the same address. */
function usePosition(
  signature: Signature,
): { readonly position: number; readonly total: number } | undefined {
  const { data } = useQuery({
    queryKey: ['signatures', 'live'],
    queryFn: () => api.signatures.list({ limit: 100, sort: 'priority' }),
  })
  if (!data) return undefined
  return { position: data.findIndex(({ id }) => id === signature.id) + 1, total: data.length }
}

export function DetailsCard({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const isDisabled = !useCan()('signatures:write')
  const position = usePosition(signature)
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
          clean={digitsOf}
          {...fields}
          inputMode="numeric"
          hint={`${t('priorityHint')} ${position && position.position > 0 ? t('priorityPlace', { place: position.position, total: position.total }) : ''}`}
        />
        {!isDisabled && position && position.total > 1 && (
          <PositionButtons signatureId={signature.id} position={position.position} total={position.total} />
        )}
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

interface PositionButtonsProps {
  readonly signatureId: string
  readonly position: number
  readonly total: number
}

/** The position among all signatures without thinking of numbers. */
function PositionButtons({ signatureId, position, total }: PositionButtonsProps) {
  const t = useTranslations('signatures')
  const move = useSignatureAction<'first' | 'last'>({
    run: to => moveSignature(signatureId, to),
    done: (_, to) => t(to === 'first' ? 'isFirst' : 'isLast'),
  })
  return (
    <div className="-mt-1 flex flex-wrap gap-2">
      <Button
        isSmall
        isDisabled={position === 1}
        isPending={move.isPending && move.variables === 'first'}
        onPress={() => move.mutate('first')}
      >
        {t('putFirst')}
      </Button>
      <Button
        isSmall
        isDisabled={position === total}
        isPending={move.isPending && move.variables === 'last'}
        onPress={() => move.mutate('last')}
      >
        {t('putLast')}
      </Button>
    </div>
  )
}
