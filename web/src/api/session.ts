// Who is signed in, and what the role allows.
import type { Me } from '@signoff/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { api, queryClient, type Scope } from './client.ts'

export const meQuery = { queryKey: ['me'], queryFn: () => api.me.get(), staleTime: 60_000 } as const

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** Tells if the API would let the person do something. Buttons that it would refuse are not shown. */
export function useCan(): (scope: Scope) => boolean {
  const { scopes } = useMe()
  return scope => scopes.includes(scope)
}

/** The beginning of all keys of the account: people who share a browser do not share what they have typed or pasted. */
export const ownKeys = async (): Promise<string> =>
  `${(await queryClient.ensureQueryData(meQuery)).account.id}|`
