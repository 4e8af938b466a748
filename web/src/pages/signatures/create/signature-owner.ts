// Whose signature was pasted: the person of the workspace whose address stands in it.
import { api, queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { addressesOf, type PickedAddress } from '#records/signatures/example-person.ts'

const addressPattern = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g
/** A signature names the own address, seldom a second one. Each address is one request. */
const maxAddresses = 3

export const addressesIn = (html: string): readonly string[] => {
  const found = [...html.matchAll(addressPattern)].map(([address]) => address.toLowerCase())
  return [...new Set(found)].slice(0, maxAddresses)
}

export async function findOwner(html: string): Promise<PickedAddress | undefined> {
  for (const address of addressesIn(html)) {
    const people = await api.teammates.list({ search: address, limit: 5 })
    const fields = await queryClient.ensureQueryData(smartFieldsQuery)
    const owner = people
      .flatMap(person => addressesOf(person, nameOfTeammate(person, fields)))
      .find(each => each.address.toLowerCase() === address)
    if (owner) return owner
  }
  return undefined
}
