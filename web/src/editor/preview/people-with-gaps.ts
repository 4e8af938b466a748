// The people who lack a value that a signature needs, one after the other.
import type { SmartField, Teammate } from '@signoff/sdk'
import { api, queryClient } from '#api/client.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { addressesOf, type PickedAddress } from '#records/signatures/example-person.ts'

export interface PersonWithGaps extends PickedAddress {
  /** The ids of the needed fields that the person lacks. */
  readonly missing: readonly string[]
}

/** Of each field. The walk goes through the first ones by name; the list of people shows all. */
const peopleOfField = 100
/** A signature with more fields than this is asked for the first ones: each field is a request. */
const maxFields = 12

export interface PeopleWithGaps {
  readonly people: readonly PersonWithGaps[]
  /** Undefined: these are all of them. */
  readonly cut: { readonly people: number; readonly fields: number } | undefined
}

/** Each person once, in the order of the first list that has the person, then the next one. */
export function mergePeople(lists: readonly (readonly Teammate[])[]): readonly Teammate[] {
  const byId = new Map(lists.flat().map(person => [person.id, person]))
  return [...byId.values()]
}

/** Recipients of the published signature come first; when none of them lacks a value, all active people. */
export async function readPeopleWithGaps(
  signatureId: string | undefined,
  needed: readonly string[],
  fields: readonly SmartField[],
): Promise<PeopleWithGaps> {
  const asked = needed.slice(0, maxFields)
  const lacking = (among: { readonly signature_id?: string }) =>
    Promise.all(
      asked.map(id =>
        queryClient.fetchQuery({
          queryKey: ['teammates', 'gaps', id, among.signature_id ?? null],
          queryFn: async () => [
            ...(await api.teammates.list({
              ...among,
              missing_smart_field_id: id,
              sort: 'name',
              limit: peopleOfField,
            })),
          ],
          staleTime: 30_000,
        }),
      ),
    )
  const recipients = signatureId === undefined ? [] : await lacking({ signature_id: signatureId })
  const lists = recipients.some(list => list.length > 0) ? recipients : await lacking({})
  const isCut = needed.length > maxFields || lists.some(list => list.length === peopleOfField)
  return {
    people: mergePeople(lists).flatMap(person => {
      const [address] = addressesOf(person, nameOfTeammate(person, fields))
      return address ? [{ ...address, missing: gapsOf(person, asked) }] : []
    }),
    cut: isCut ? { people: peopleOfField, fields: maxFields } : undefined,
  }
}

const gapsOf = ({ smart_fields: values }: Teammate, needed: readonly string[]): readonly string[] =>
  needed.filter(id => {
    const value = values.find(each => each.smart_field_id === id)
    return !value?.value?.trim() && !value?.asset_id
  })

/** The one after the person that is shown; after the last one the first. */
export function personAfter(
  people: readonly PersonWithGaps[],
  emailId: string | undefined,
): PersonWithGaps | undefined {
  const at = people.findIndex(each => each.emailId === emailId)
  return people[(at + 1) % Math.max(1, people.length)]
}
