import type { AuditEntry } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { nameOfEntry, pageOfEntry, useActorOf, usePhraseOf } from '#records/audit/audit-messages.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { useIsNarrow } from '#ui/base/use-narrow.ts'
import { DetailList } from '#ui/layout/detail-list.tsx'
import { Badge, EmptyState } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import { listPageOf } from '#ui/table/list-page.ts'
import { RowButton } from '#ui/table/row-button.tsx'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { type AuditFilterName, AuditFilters, auditFiltersOf } from './audit/audit-filters.tsx'
import { SettingsFrame } from './settings-frame.tsx'

interface EntryDialogProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
}

const Code = ({ children }: { readonly children: string | null }) =>
  children && <code className="text-xs break-all select-all">{children}</code>

function EntryDialog({ entry, onClose }: EntryDialogProps) {
  const t = useTranslations('settings.audit')
  const format = useFormatter()
  const [, setState] = useAddressState<AuditFilterName>()
  const actor = useActorOf()(entry)
  const phrase = usePhraseOf()(entry.action)
  const path = pageOfEntry(entry)
  const showHistory = () => {
    setState({ id: entry.resource_id ?? '', who: '', resource: '', action: '' })
    onClose()
  }
  return (
    <Dialog title={`${actor} ${phrase}`} onClose={onClose}>
      <DetailList
        rows={[
          {
            label: t('when'),
            value: format.dateTime(new Date(entry.created_at), { dateStyle: 'full', timeStyle: 'long' }),
          },
          { label: t('member'), value: entry.member_name },
          { label: t('apiKey'), value: entry.api_key_name },
          { label: t('way'), value: t(`ways.${entry.via ?? (entry.session_id ? 'browser' : 'api')}`) },
          { label: t('resourceName'), value: nameOfEntry(entry) || null },
          { label: t('reason'), value: entry.reason },
          { label: t('action'), value: <Code>{entry.action}</Code> },
          { label: t('resourceId'), value: entry.resource_id && <Code>{entry.resource_id}</Code> },
          { label: t('sessionId'), value: entry.session_id && <Code>{entry.session_id}</Code> },
          { label: t('requestId'), value: entry.request_id && <Code>{entry.request_id}</Code> },
        ]}
      />
      <Actions>
        {entry.resource_id !== null && (
          <Button icon="history" onPress={showHistory}>
            {t('history')}
          </Button>
        )}
        {path !== undefined && (
          <LinkButton to={path} variant="primary" icon="arrow-right">
            {t('open')}
          </LinkButton>
        )}
      </Actions>
    </Dialog>
  )
}

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
