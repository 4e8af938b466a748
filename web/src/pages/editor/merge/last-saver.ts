// Who has saved last, from the audit log, for members who can read it.
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useCan, useMe } from '../../../api/session.tsx'

export interface LastSaver {
  /** Undefined: the same person, in another window. */
  readonly name: string | undefined
  readonly at: Date
}

/**
 * Undefined until it is known, null where the service does not tell it. `version`: that a refused save began with, so
 * that each conflict is asked for anew.
 */
export function useLastSaver(
  resourceId: string,
  version: string | undefined,
  isNeeded: boolean,
): LastSaver | null | undefined {
  const can = useCan()
  const me = useMe()
  const canRead = can('audit_log:read')
  const { data, isError } = useQuery({
    queryKey: ['audit-log', 'last', resourceId, version],
    queryFn: async () => (await api.auditLog.list({ resource_id: resourceId, limit: 1 }))[0] ?? null,
    enabled: isNeeded && canRead,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!canRead || isError) return null
  if (!data) return data
  const name = data.member_name ?? data.api_key_name
  if (name === null) return null
  return {
    name: data.member_id === me.member.id ? undefined : name,
    at: new Date(data.created_at),
  }
}
