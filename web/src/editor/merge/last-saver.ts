// Who has saved last, from the audit log, for members who can read it.
import { useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.tsx'
import type { EditorTarget } from '../page/targets.ts'

export interface LastSaver {
  /** Undefined: the same person, in another window. */
  readonly name: string | undefined
  readonly at: Date
}

/** Other entries, such as a publish, are not the saves that the refused one came after. */
async function newestSave({ actions, resourceId }: EditorTarget['audit']) {
  const id = await resourceId()
  if (id === null) return null
  const newest = await Promise.all(
    actions.map(action => api.auditLog.list({ resource_id: id, action, limit: 1 })),
  )
  return newest.flat().sort((one, other) => other.created_at.localeCompare(one.created_at))[0] ?? null
}

/**
 * Undefined until it is known, null where the service does not tell it. `version`: that a refused save began with, so
 * that each conflict is asked for anew.
 */
export function useLastSaver(
  { key, audit }: EditorTarget,
  version: string | undefined,
  isNeeded: boolean,
): LastSaver | null | undefined {
  const can = useCan()
  const me = useMe()
  const canRead = can('audit_log:read')
  const { data, isError } = useQuery({
    queryKey: ['audit-log', 'last', key, version],
    queryFn: () => newestSave(audit),
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
