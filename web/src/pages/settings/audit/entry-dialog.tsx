import type { AuditEntry } from '@signoff/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { nameOfEntry, pageOfEntry, useActorOf, usePhraseOf } from '#records/audit/audit-texts.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { DetailList } from '#ui/detail-list.tsx'
import { Actions, Dialog } from '#ui/dialog.tsx'
import type { AuditFilterName } from './audit-filters.tsx'

interface EntryDialogProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
}

const Code = ({ children }: { readonly children: string | null }) =>
  children && <code className="text-xs break-all select-all">{children}</code>

export function EntryDialog({ entry, onClose }: EntryDialogProps) {
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
    <Dialog title={`${actor} ${phrase}`} isOpen onClose={onClose}>
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
          <LinkButton to={path} look="primary" icon="arrow-right">
            {t('open')}
          </LinkButton>
        )}
      </Actions>
    </Dialog>
  )
}
