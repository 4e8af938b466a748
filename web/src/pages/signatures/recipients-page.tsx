import type { Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { selectionQuery } from '#records/signatures/signature-data.ts'
import { LoadError, Skeleton } from '#ui/layout/page.tsx'
import { ByHandCard } from './recipients/by-hand-card.tsx'
import { EverybodyCard } from './recipients/everybody-card.tsx'
import { GroupsCard } from './recipients/groups-card.tsx'
import { RecipientsTable } from './recipients/recipients-table.tsx'
import { RulesCard } from './recipients/rules-card.tsx'
import { useRuleEdits } from './recipients/use-rule-edits.ts'
import { SignatureLayout, useSignature } from './signature-layout.tsx'

export default function RecipientsPage() {
  const signature = useSignature()
  return <Recipients key={signature.id} signature={signature} />
}

function Recipients({ signature }: { readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data: selection, error, refetch } = useQuery(selectionQuery(signature.id))
  const rules = useRuleEdits(signature.id, selection?.conditions)
  const shown = useQuery({
    queryKey: ['signatures', 'recipients', signature.id, 'shown'],
    queryFn: async () =>
      (await api.teammates.list({ signature_id: signature.id, limit: 1 }).raw()).body.pagination.total_count,
    enabled: can('teammates:read'),
  })
  return (
    <SignatureLayout rules={rules}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!selection && !error && <Skeleton lines={8} />}
      {selection && (
        <div className="grid grid-cols-1 gap-5">
          <p className="text-base" role="status">
            <strong className="font-semibold">
              {t('reaches', { count: selection.matching_emails_count })}
            </strong>{' '}
            <span className="text-muted">
              {shown.data !== undefined && t('shownTo', { count: shown.data })}
            </span>
          </p>
          <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
            <EverybodyCard signature={signature} selection={selection} />
            <GroupsCard signatureId={signature.id} selection={selection} />
            <ByHandCard signatureId={signature.id} selection={selection} />
          </div>
          <RulesCard rules={rules} />
          <RecipientsTable signature={signature} hasManual={selection.email_ids_count > 0} />
        </div>
      )}
    </SignatureLayout>
  )
}
