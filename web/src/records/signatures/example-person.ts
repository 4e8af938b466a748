// The person whose values fill a preview. Apart from the field that chooses a person, which is large.
import type { Teammate } from '@signoff/sdk'
import { api, queryClient } from '#api/client.ts'
import { meQuery } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'

export interface PickedAddress {
  readonly emailId: string
  readonly address: string
  readonly name: string
}

export const addressesOf = (person: Teammate, name: string): PickedAddress[] =>
  person.emails.map(({ id, address }) => ({ emailId: id, address, name }))

const ownAddress = async (): Promise<string> =>
  (await queryClient.ensureQueryData(meQuery)).account.email.toLowerCase()

/** The signed-in person, or the first one. */
export const examplePersonQuery = {
  queryKey: ['teammates', 'example'] as const,
  queryFn: async (): Promise<PickedAddress | null> => {
    const own = await ownAddress()
    const isOwn = ({ address }: { readonly address: string }) => address.toLowerCase() === own
    // All at once: the editor waits for this person before it draws.
    const [matches, [first], fields] = await Promise.all([
      api.teammates.list({ search: own, limit: 5 }),
      api.teammates.list({ limit: 1, sort: 'name' }),
      queryClient.ensureQueryData(smartFieldsQuery),
    ])
    const person = matches.find(each => each.emails.some(isOwn)) ?? first
    if (!person) return null
    const addresses = addressesOf(person, nameOfTeammate(person, fields))
    return addresses.find(isOwn) ?? addresses[0] ?? null
  },
  staleTime: 5 * 60_000,
}

/** More recipients are not searched for the signed-in person. */
const searchedRecipients = 100

/** An address of a signature's recipients: the own one, or the first; without recipients, that of any person. */
export const exampleRecipientQuery = (signatureId: string) => ({
  queryKey: ['signatures', 'recipients', signatureId, 'example'] as const,
  queryFn: async (): Promise<string | null> => {
    const own = await ownAddress()
    const recipients = await api.signatures.recipients.list(signatureId, { limit: searchedRecipients })
    const chosen = recipients.find(({ address }) => address.toLowerCase() === own) ?? recipients[0]
    return chosen?.id ?? (await queryClient.ensureQueryData(examplePersonQuery))?.emailId ?? null
  },
  staleTime: 5 * 60_000,
})
