import type { ListCall, ProfileChange } from '@signoff/sdk'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { useCan } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Badge, EmptyState, LoadError, Page, Skeleton } from '#ui/layout/page.tsx'
import { ChangeCard } from './change-card.tsx'
import { RequestCard } from './request-card.tsx'
import { refreshAfter } from './use-decision.ts'

const drawnAtOnce = 5

/** One after the other: each approval is a decision of its own, and one that fails does not stop the rest. */
async function approveEach(ids: readonly string[]): Promise<{ done: number; firstError: unknown }> {
  let done = 0
  let firstError: unknown
  for (const id of ids) {
    try {
      await api.profileChanges.approve(id)
      done += 1
    } catch (error) {
      firstError ??= error
    }
  }
  return { done, firstError }
}

function useBulkApproval(onDone: () => void) {
  const t = useTranslations('approvals')
  const messageOf = useMessageOf()
  return useMutation({
    mutationFn: approveEach,
    onSuccess: ({ done, firstError }, ids) => {
      if (done > 0) toast(t('approvedMany', { count: done }))
      if (firstError !== undefined)
        toastError(t('failedMany', { count: ids.length - done }), messageOf(firstError))
      onDone()
    },
    onSettled: () => refreshAfter('profile_changes'),
  })
}

function ChangeList({ changes }: { readonly changes: readonly ProfileChange[] }) {
  const t = useTranslations('approvals')
  const can = useCan()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const pending = changes.filter(({ status }) => status === 'pending').map(({ id }) => id)
  const selected = pending.filter(id => chosen.has(id))
  const bulk = useBulkApproval(() => setChosen(new Set()))
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(chosen)
    if (isSelected) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      {pending.length > 1 && can('teammates:write') && (
        <div className="flex min-h-9 flex-wrap items-center gap-4 px-4">
          <Checkbox
            isSelected={selected.length === pending.length}
            isIndeterminate={selected.length > 0 && selected.length < pending.length}
            onChange={isSelected => setChosen(new Set(isSelected ? pending : []))}
          >
            {t('selectAll')}
          </Checkbox>
          {selected.length > 0 && (
            <Button
              variant="primary"
              icon="check"
              isSmall
              isPending={bulk.isPending}
              onPress={() => bulk.mutate(selected)}
            >
              {t('approveMany', { count: selected.length })}
            </Button>
          )}
        </div>
      )}
      <ul className="grid grid-cols-1 gap-3">
        {changes.map((change, index) => (
          <ChangeCard
            key={change.id}
            change={change}
            showsPictures={change.status === 'pending' && index < drawnAtOnce}
            isSelected={chosen.has(change.id)}
            {...(pending.length > 1 && { onSelect: (isSelected: boolean) => select(change.id, isSelected) })}
          />
        ))}
      </ul>
    </div>
  )
}

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
