import { queryClient } from './client.ts'
import { meQuery } from './session.tsx'

/** The beginning of all keys of the account: people who share a browser do not share what they have typed or pasted. */
export const ownKeys = async (): Promise<string> =>
  `${(await queryClient.ensureQueryData(meQuery)).account.id}|`
