import type { AuditEntry } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { nameOfEntry, useActorOf, usePhraseOf } from '#records/audit/audit-texts.ts'
import { useAddressState } from '#state/address-state.ts'
import { Avatar } from '#ui/avatar.tsx'
import { listPageOf } from '#ui/list-page.ts'
import { Badge, EmptyState } from '#ui/page.tsx'
import { RowButton } from '#ui/row-button.tsx'
import { useIsNarrow } from '#ui/use-narrow.ts'
import { type VirtualColumn, VirtualTable } from '#ui/virtual-table.tsx'
import { type AuditFilterName, AuditFilters, auditFiltersOf } from './audit/audit-filters.tsx'
import { EntryDialog } from './audit/entry-dialog.tsx'
import { SettingsFrame } from './settings-frame.tsx'

function useAuditColumns(onOpen: (entry: AuditEntry) => void): readonly VirtualColumn<AuditEntry>[] {
  const t = useTranslations('settings.audit')
  const format = useFormatter()
  const actorOf = useActorOf()
  const phraseOf = usePhraseOf()
  const momentOf = ({ created_at }: AuditEntry) =>
    format.dateTime(new Date(created_at), { dateStyle: 'medium', timeStyle: 'short' })
  return [
    {
      id: 'sentence',
      title: t('what'),
      width: 'minmax(0, 1fr)',
      cell: entry => (
        <span className="flex items-center gap-3">
          <Avatar name={actorOf(entry)} size={26} />
          <span className="min-w-0 max-md:whitespace-normal md:truncate">
            <RowButton onOpen={() => onOpen(entry)} wrapsOnPhones>
              {actorOf(entry)} <span className="font-normal">{phraseOf(entry.action)}</span>
              {entry.resource_name && `: ${nameOfEntry(entry)}`}
            </RowButton>
            <span className="block text-xs text-muted md:hidden">{momentOf(entry)}</span>
          </span>
          {entry.api_key_id !== null && <Badge>{t('apiKey')}</Badge>}
        </span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      width: '13rem',
      isSecondary: true,
      cell: entry => <span className="text-muted tabular-nums">{momentOf(entry)}</span>,
    },
  ]
}

function AuditLog() {
  const t = useTranslations('settings.audit')
  const [state] = useAddressState<AuditFilterName>()
  const [open, setOpen] = useState<AuditEntry>()
  const filters = auditFiltersOf(state)
  const columns = useAuditColumns(setOpen)
  const isNarrow = useIsNarrow()
  return (
    <>
      <AuditFilters />
      <VirtualTable
        label={t('listLabel')}
        columns={columns}
        queryKey={['audit_log', filters]}
        loadPage={(page, limit, signal) =>
          listPageOf(api.auditLog.list({ ...filters, page, limit }, { signal }))
        }
        keyOf={({ id }) => id}
        onOpen={setOpen}
        rowHeight={isNarrow ? 76 : 52}
        empty={
          <EmptyState icon="history" title={t('emptyTitle')}>
            {t('emptyText')}
          </EmptyState>
        }
      />
      {open && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

export default function AuditSettingsPage() {
  return (
    <SettingsFrame section="audit">
      <AuditLog />
    </SettingsFrame>
  )
}
