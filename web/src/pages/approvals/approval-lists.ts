// The approvals of the page: those that wait, or the latest that were decided.
import type { ListCall } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { allRows } from '#api/all-pages.ts'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'

export type ApprovalState = 'pending' | 'decided'

const latest = 50

/** The API filters by one status, so the decided ones are read per status and put in order. */
async function decided<Row extends { decided_at: string | null }>(
  lists: readonly ListCall<Row>[],
): Promise<readonly Row[]> {
  const rows = (await Promise.all(lists)).flat()
  return rows
    .toSorted((one, other) => (other.decided_at ?? '').localeCompare(one.decided_at ?? ''))
    .slice(0, latest)
}

export function useProfileChanges(state: ApprovalState) {
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

export function usePublicationRequests(state: ApprovalState) {
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
