// Numbers beside entries of the main menu: what waits for the person.
import { useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'
import { totalOf } from '#api/lists.ts'
import { useCan, useMe } from '#api/session.ts'
import type { AreaId } from '#records/area.ts'

const everyTwoMinutes = { refetchInterval: 120_000, staleTime: 30_000 }

/** Number of waiting approvals that the role can decide: managers decide about profile changes only. */
function useWaitingApprovals(): { readonly changes: number; readonly publications: number } {
  const can = useCan()
  const { role } = useMe().member
  const changes = useQuery({
    ...everyTwoMinutes,
    queryKey: ['profile_changes', 'count'],
    queryFn: () => totalOf(api.profileChanges.list({ status: 'pending', limit: 1 })),
    enabled: can('teammates:write'),
  })
  const publications = useQuery({
    ...everyTwoMinutes,
    queryKey: ['publication_requests', 'count'],
    queryFn: () => totalOf(api.publicationRequests.list({ status: 'pending', limit: 1 })),
    enabled: role === 'owner' || role === 'admin',
  })
  return { changes: changes.data ?? 0, publications: publications.data ?? 0 }
}

export function useNavigationBadges(): Partial<Record<AreaId, number>> {
  const { changes, publications } = useWaitingApprovals()
  return { approvals: changes + publications }
}
