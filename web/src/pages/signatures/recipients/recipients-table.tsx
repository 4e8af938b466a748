import type { Recipient, Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { IconButton } from '#ui/base/button.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Badge, type BadgeVariant, EmptyState } from '#ui/layout/page.tsx'
import { type VirtualColumn, VirtualTable } from '#ui/table/virtual-table.tsx'
import { groupsQuery } from './groups-card.tsx'

const statuses = ['all', 'pending', 'installed', 'drifted', 'failed', 'uninstalled'] as const
type Status = (typeof statuses)[number]
const variants: Readonly<Record<string, BadgeVariant>> = {
  installed: 'good',
  drifted: 'warn',
  failed: 'bad',
  pending: 'warn',
}

function Reasons({ sources }: { readonly sources: Recipient['sources'] }) {
  const t = useTranslations('signatures')
  const can = useCan()
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled: can('signatures:write') })
  return (
    <span className="flex flex-wrap gap-1">
      {sources.map(({ kind, id }) => (
        <Badge key={`${kind}-${id ?? ''}`}>
          {kind === 'integration_entity'
            ? t('reasons.integration_entity', { name: groups.find(group => group.id === id)?.name ?? '…' })
            : t(`reasons.${kind}`)}
        </Badge>
      ))}
    </span>
  )
}

/** The signature that the address shows: this one, or another one that comes first. */
function Winner({ emailId, signature }: { readonly emailId: string; readonly signature: Signature }) {
  const t = useTranslations('signatures')
  const { data } = useQuery({
    queryKey: ['signatures', 'winner', emailId],
    queryFn: () => api.emails.explainSignature(emailId),
    staleTime: 60_000,
  })
  if (!data) return <span className="text-muted">…</span>
  if (data.signature_id === signature.id) return <>{t('getsThis')}</>
  const winner = data.candidates.find(candidate => candidate.chosen)
  if (!winner) return <span className="text-muted">{t('getsNone')}</span>
  return (
    <span className="text-warn" title={t('getsOtherWhy', { name: winner.name, priority: winner.priority })}>
      {t('getsOther', { name: winner.name })}
    </span>
  )
}

interface RecipientsTableProps {
  readonly signature: Signature
  /** Only addresses that were added by hand can be removed one by one. */
  readonly hasManual: boolean
}

export function RecipientsTable({ signature, hasManual }: RecipientsTableProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const navigate = useNavigate()
  const [{ status: filter }, setState] = useAddressState<'status'>()
  const status = statuses.find(each => each === filter) ?? 'all'
  const setStatus = (next: Status) => setState({ status: next === 'all' ? undefined : next })
  const remove = useSignatureAction<Recipient>({
    run: ({ id }) => api.signatures.recipients.remove(signature.id, id),
    done: (_, { address, sources }) =>
      sources.length > 1 ? t('removedStays', { address }) : t('removed', { address }),
  })
  const columns: VirtualColumn<Recipient>[] = [
    { id: 'address', title: t('address'), width: 'minmax(8rem, 2fr)', cell: ({ address }) => address },
    {
      id: 'why',
      title: t('why'),
      width: 'minmax(8rem, 1.5fr)',
      isSecondary: true,
      cell: ({ sources }) => <Reasons sources={sources} />,
    },
    {
      id: 'winner',
      title: t('newMailShows'),
      width: 'minmax(8rem, 1.5fr)',
      isSecondary: true,
      cell: ({ id }) => <Winner emailId={id} signature={signature} />,
    },
    {
      id: 'status',
      title: t('installation'),
      width: 'minmax(6.5rem, 8rem)',
      cell: ({ installation_status: value }) =>
        value === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Badge variant={variants[value] ?? 'neutral'}>{t(`installationStates.${value}`)}</Badge>
        ),
    },
    {
      id: 'remove',
      title: t('removeTitle'),
      width: '5.5rem',
      cell: recipient =>
        can('signatures:write') && recipient.sources.some(({ kind }) => kind === 'manual') ? (
          <IconButton
            icon="x"
            label={t('removeRecipient', { address: recipient.address })}
            onPress={() => remove.mutate(recipient)}
          />
        ) : null,
    },
  ]
  return (
    <section className="grid gap-3" aria-labelledby="recipients-heading">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="recipients-heading" className="text-base font-semibold">
          {t('whoGetsIt')}
        </h2>
        <FilterSelect<Status>
          label={t('installation')}
          value={status}
          onChange={setStatus}
          options={statuses.map(id => ({ id, label: t(`installationStates.${id}`) }))}
          className="w-44"
        />
      </div>
      <VirtualTable<Recipient>
        label={t('whoGetsIt')}
        columns={hasManual ? columns : columns.filter(({ id }) => id !== 'remove')}
        queryKey={['signatures', 'recipients', signature.id, 'rows', status]}
        loadPage={async (page, limit, signal) => {
          const filter = status === 'all' ? {} : { installation_status: status }
          const { body } = await api.signatures.recipients
            .list(signature.id, { page, limit, ...filter }, { signal })
            .raw()
          return { rows: body.data, total: body.pagination.total_count }
        }}
        keyOf={({ id }) => id}
        onOpen={({ teammate_id }) => void navigate({ to: `/people/${teammate_id}` })}
        empty={
          <EmptyState icon="users" title={status === 'all' ? t('noRecipients') : t('noneWithStatus')}>
            {status === 'all' && t('noRecipientsText')}
          </EmptyState>
        }
      />
    </section>
  )
}
