// The teammate of the person who is signed in: the one with the address of the account.
import type { ProfileChange, SmartField, Teammate } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api, readAgain } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'

export function useMyTeammate() {
  const { email } = useMe().account
  return useQuery({
    queryKey: ['teammates', 'mine', email],
    queryFn: async (): Promise<Teammate | null> => {
      const people = await api.teammates.list({ search: email, limit: 20 })
      const isMine = ({ address }: { address: string }) => address.toLowerCase() === email.toLowerCase()
      return people.find(person => person.emails.some(isMine)) ?? null
    },
  })
}

/** The fields that the API lets this person change, in the order of the teammate's values. */
export function useMyFields(teammate: Teammate): readonly SmartField[] {
  const can = useCan()
  const { data = [] } = useQuery(smartFieldsQuery)
  // The address itself is a field too, which is changed as an address.
  const isComputed = ({ kind, default: isBuiltIn }: SmartField) => kind === 'email' && isBuiltIn
  const isMine = (field: SmartField) =>
    field.integration_id === null && !isComputed(field) && (field.editable_by_owner || can('teammates:write'))
  return teammate.smart_fields.flatMap(({ smart_field_id: id }) =>
    data.filter(field => field.id === id && isMine(field)),
  )
}

const noteMilliseconds = 14 * 86_400_000

/** Decisions are shown for two weeks, as on the personal page. */
const isRecent = ({ status, decided_at }: ProfileChange): boolean =>
  status !== 'approved' || (decided_at !== null && Date.parse(decided_at) > Date.now() - noteMilliseconds)

/** The newest change of each field that waits or was decided. */
export function useMyChanges(teammateId: string): ReadonlyMap<string, ProfileChange> {
  const { data = [] } = useQuery({
    queryKey: ['profile_changes', teammateId],
    queryFn: () => api.profileChanges.list({ teammate_id: teammateId, limit: 100 }),
  })
  const newest = new Map<string, ProfileChange>()
  for (const change of data) {
    const before = newest.get(change.field.id)
    if (!before || before.requested_at < change.requested_at) newest.set(change.field.id, change)
  }
  return new Map([...newest].filter(([, change]) => isRecent(change)))
}

export const refreshMine = () => readAgain('teammates', 'profile_changes', 'my_signature')
