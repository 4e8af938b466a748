import type { SmartField, SmartFieldUsage } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { allRows } from '#api/all-pages.ts'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { Button } from '#ui/button.tsx'
import { LoadError, Page, Skeleton } from '#ui/page.tsx'
import { FieldDeleteDialog } from './field-delete-dialog.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { FieldTable } from './field-table.tsx'
import { OwnChangesCard } from './own-changes-card.tsx'

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
          <Button look="primary" icon="plus" onPress={() => setEdited('new')}>
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
