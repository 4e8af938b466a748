import type { ListCall } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'
import { Segments } from '#ui/form/segments.tsx'
import { Badge, EmptyState, LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { ChangeList } from './change-list.tsx'
import { RequestCard } from './request-card.tsx'

type ApprovalState = 'pending' | 'decided'

const latest = 50

/** The API filters by one status, so the decided ones are read per status and put in order. */
async function decided<Row extends { decided_at: string | null }>(
  lists: readonly ListCall<Row>[],
): Promise<readonly Row[]> {
  const rows = (await Promise.all(lists)).flat()
  return rows.toSorted((a, b) => (b.decided_at ?? '').localeCompare(a.decided_at ?? '')).slice(0, latest)
}

function useProfileChanges(state: ApprovalState) {
  const can = useCan()
  return useQuery({
    queryKey: ['profile_changes', state],
    queryFn: () =>
      state === 'pending'
        ? allRows(page => api.profileChanges.list({ ...page, status: 'pending' }))
        : decided(
            (['approved', 'rejected'] as const).map(status =>
              api.profileChanges.list({ status, limit: latest }),
            ),
          ),
    enabled: can('teammates:read'),
    placeholderData: keepPreviousData,
  })
}

/** The approvals of the page: those that wait, or the latest that were decided. */
function usePublicationRequests(state: ApprovalState) {
  const can = useCan()
  return useQuery({
    queryKey: ['publication_requests', state],
    queryFn: () =>
      state === 'pending'
        ? allRows(page => api.publicationRequests.list({ ...page, status: 'pending' }))
        : decided(
            (['approved', 'rejected', 'replaced'] as const).map(status =>
              api.publicationRequests.list({ status, limit: latest }),
            ),
          ),
    enabled: can('signatures:read'),
    placeholderData: keepPreviousData,
  })
}

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
