// Goes to the next person who lacks a value that the signature shows, and says which.
import type { SmartField, Teammate } from '@signoff/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { addressesOf, type PickedAddress } from '#records/signatures/example-person.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { toast, toastError, toastNote } from '#ui/feedback/toast.tsx'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { useShownPreview } from '../rendering/preview-state.tsx'
import { useWorkspaceParts } from '../rendering/workspace-queries.ts'
import { fieldsNeededBy } from './missing-values.ts'

/** `fieldId`: only people without a value for this field. */
export function useNextGap(): { readonly goToNextGap: (fieldId?: string) => void; isSearching: boolean } {
  const t = useTranslations('editor.preview')
  const format = useFormatter()
  const messageOf = useMessageOf()
  const announce = useAnnounce()
  const { store } = useEditor()
  const { fields } = useWorkspaceParts()
  const { shownPerson, setShownPerson, signatureId } = useShownPreview()
  const [isSearching, setSearching] = useState(false)
  const go = async (fieldId?: string) => {
    const needed = fieldsNeededBy(store.getState().tree, fields)
      .map(({ field }) => field.id)
      .filter(id => fieldId === undefined || id === fieldId)
    const { people, cut } = await readPeopleWithGaps(signatureId, needed, fields)
    const from = typeof shownPerson === 'string' ? undefined : shownPerson.emailId
    const next = personAfter(people, from)
    if (!next && needed.length === 0) return toastNote(t('noFields'))
    if (!next) return cut ? toastNote(t('noGapsInFirst', cut)) : toast(t('noGaps'))
    const labels = next.missing.flatMap(id => fields.find(field => field.id === id)?.label ?? [])
    setShownPerson(next)
    announce(t('gapsOf', { name: next.name, fields: format.list(labels) }))
    // Once, at the beginning of the walk.
    if (cut && next === people[0]) toastNote(t('firstOnly', cut))
  }
  const goToNextGap = (fieldId?: string) => {
    setSearching(true)
    go(fieldId)
      .catch(error => toastError(messageOf(error)))
      .finally(() => setSearching(false))
  }
  return { goToNextGap, isSearching }
}

// The people who lack a value that a signature needs, one after the other.

interface PersonWithGaps extends PickedAddress {
  /** The ids of the needed fields that the person lacks. */
  readonly missing: readonly string[]
}

/** Number of people for each field. The walk goes through the first ones by name; the list of people shows all. */
const peopleOfField = 100
/** A signature with more fields than this is asked for the first ones: each field is a request. */
const maxFields = 12

interface PeopleWithGaps {
  readonly people: readonly PersonWithGaps[]
  /** Undefined: these are all of them. */
  readonly cut: { readonly people: number; readonly fields: number } | undefined
}

/** Each person once, in the order of the first list that has the person, then the next one. */
function mergePeople(lists: readonly (readonly Teammate[])[]): readonly Teammate[] {
  const byId = new Map(lists.flat().map(person => [person.id, person]))
  return [...byId.values()]
}

/** Recipients of the published signature come first; when none of them lacks a value, all active people. */
async function readPeopleWithGaps(
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
function personAfter(
  people: readonly PersonWithGaps[],
  emailId: string | undefined,
): PersonWithGaps | undefined {
  const at = people.findIndex(each => each.emailId === emailId)
  return people[(at + 1) % Math.max(1, people.length)]
}
