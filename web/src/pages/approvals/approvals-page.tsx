import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useAddressState } from '#state/address-state.ts'
import { Badge, EmptyState, LoadError, Page, Skeleton } from '#ui/page.tsx'
import { Segments } from '#ui/segments.tsx'
import { type ApprovalState, useProfileChanges, usePublicationRequests } from './approval-lists.ts'
import { ChangeList } from './change-list.tsx'
import { RequestCard } from './request-card.tsx'

interface PartProps {
  readonly title: string
  readonly count: number
  readonly children: ReactNode
}

const Part = ({ title, count, children }: PartProps) => (
  <section aria-label={title}>
    <h2 className="mb-3 flex items-center gap-2 text-base font-semibold">
      {title} <Badge>{count}</Badge>
    </h2>
    {children}
  </section>
)

function Lists({ state }: { readonly state: ApprovalState }) {
  const t = useTranslations('approvals')
  const changes = useProfileChanges(state)
  const requests = usePublicationRequests(state)
  const failed = [changes, requests].find(({ error }) => error)
  if (failed?.error) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
  if (!changes.data || !requests.data) return <Skeleton lines={6} />
  if (changes.data.length + requests.data.length === 0)
    return (
      <EmptyState icon="clipboard-check" title={t(state === 'pending' ? 'emptyTitle' : 'noneDecidedTitle')}>
        {t(state === 'pending' ? 'emptyText' : 'noneDecidedText')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-8">
      {requests.data.length > 0 && (
        <Part title={t('publications')} count={requests.data.length}>
          <ul className="grid grid-cols-1 gap-3">
            {requests.data.map(request => (
              <RequestCard key={request.id} request={request} />
            ))}
          </ul>
        </Part>
      )}
      {changes.data.length > 0 && (
        <Part title={t('changes')} count={changes.data.length}>
          <ChangeList key={state} changes={changes.data} />
        </Part>
      )}
    </div>
  )
}

export default function ApprovalsPage() {
  const t = useTranslations('approvals')
  const [{ show }, setState] = useAddressState<'show'>()
  const state = show === 'decided' ? 'decided' : 'pending'
  return (
    <Page title={t('title')} about={t('about')}>
      <div className="mb-6">
        <Segments
          label={t('show')}
          options={(['pending', 'decided'] as const).map(id => ({ id, label: t(`shown.${id}`) }))}
          value={state}
          onChange={next => setState({ show: next === 'decided' ? next : '' })}
        />
      </div>
      <Lists state={state} />
    </Page>
  )
}
