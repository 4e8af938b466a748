import type { SmartField, SmartFieldUsage } from '@signoff/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, readAgain } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { useAction } from '#ui/feedback/use-action.ts'
import { Card, LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { Actions, ConfirmDialog, Dialog } from '#ui/overlay/dialog.tsx'
import { FieldTable } from './field-table.tsx'
import { FieldUses } from './field-uses.tsx'

const FieldDialog = onDemand(() => import('./field-dialog.tsx'))

const usualKeys = ['work_phone', 'mobile_phone', 'profile_picture']

const allow = (field: SmartField) =>
  saveOverSeen({
    seen: field,
    patch: { editable_by_owner: true },
    read: () => api.smartFields.get(field.id),
    save: (patch, options) => api.smartFields.update(field.id, patch, options),
  })

/** Shown until people can change something. */
function OwnChangesCard({ fields }: { readonly fields: readonly SmartField[] }) {
  const t = useTranslations('fields.ownChanges')
  const can = useCan()
  const usual = fields.filter(({ key, integration_id }) => usualKeys.includes(key) && integration_id === null)
  const change = useAction(() => readAgain('smart_fields'), {
    run: () => Promise.all(usual.map(allow)),
    done: () => t('done'),
  })
  if (!can('smart_fields:write') || usual.length === 0 || fields.some(field => field.editable_by_owner))
    return null
  return (
    <div className="mb-5">
      <Card
        title={t('title')}
        about={t('about', { fields: usual.map(({ label }) => label).join(', ') })}
        actions={
          <Button isPending={change.isPending} onPress={() => change.mutate()}>
            {t('allow')}
          </Button>
        }
      />
    </div>
  )
}

interface FieldDeleteProps {
  readonly field: SmartField
  readonly usage: SmartFieldUsage | undefined
  readonly onClose: () => void
}

function FieldDeleteDialog({ field, usage, onClose }: FieldDeleteProps) {
  const t = useTranslations('fields')
  const shell = useTranslations('shell')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.smartFields.delete(field.id),
    onSuccess: () => {
      void readAgain('smart_fields', 'teammates')
      toast(t('deleted', { field: field.label }))
      onClose()
    },
  })
  if (usage && usage.used_in.length > 0)
    return (
      <Dialog title={t('inUseTitle', { field: field.label })} onClose={onClose} size="small">
        <p className="mb-3 text-muted">{t('inUseText')}</p>
        <FieldUses usage={usage} isFull />
        <Actions>
          <Button variant="primary" onPress={onClose}>
            {shell('close')}
          </Button>
        </Actions>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={t('deleteTitle', { field: field.label })}
      onClose={onClose}
      action={shell('delete')}
      isPending={isPending}
      onConfirm={() => mutate()}
    >
      <p>{t('deleteText')}</p>
      <ErrorNotice error={error} className="mt-3" />
    </ConfirmDialog>
  )
}

function useFieldRows() {
  const fields = useQuery(smartFieldsQuery)
  const usage = useQuery({
    queryKey: ['smart_fields', 'usage'],
    queryFn: () => allRows(page => api.smartFields.usage(page)),
  })
  const byId = new Map((usage.data ?? []).map(entry => [entry.smart_field_id, entry]))
  return { fields, usageOf: (id: string): SmartFieldUsage | undefined => byId.get(id) }
}

export default function FieldsPage() {
  const t = useTranslations('fields')
  const can = useCan()
  const { fields, usageOf } = useFieldRows()
  const [edited, setEdited] = useState<SmartField | 'new' | null>(null)
  const [deleted, setDeleted] = useState<SmartField | null>(null)
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        can('smart_fields:write') && (
          <Button variant="primary" icon="plus" onPress={() => setEdited('new')}>
            {t('create')}
          </Button>
        )
      }
    >
      {fields.error && <LoadError error={fields.error} onRetry={() => void fields.refetch()} />}
      {!fields.data && !fields.error && <Skeleton lines={8} />}
      {fields.data && <OwnChangesCard fields={fields.data} />}
      {fields.data && (
        <FieldTable fields={fields.data} usageOf={usageOf} onEdit={setEdited} onDelete={setDeleted} />
      )}
      {edited !== null && (
        <FieldDialog field={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {deleted !== null && (
        <FieldDeleteDialog field={deleted} usage={usageOf(deleted.id)} onClose={() => setDeleted(null)} />
      )}
    </Page>
  )
}
