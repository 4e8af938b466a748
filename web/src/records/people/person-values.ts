// The values of a person as a form edits them: texts by the id of the field.
import type { Teammate, TeammatePatch } from '@signoff/sdk'
import { type DraftOf, useDraft } from '#state/use-draft.ts'
import type { useResource } from '#state/use-resource.ts'

export type PersonValues = Readonly<Record<string, string>>

const valuesOf = ({ smart_fields }: Teammate): PersonValues =>
  Object.fromEntries(smart_fields.map(({ smart_field_id, value }) => [smart_field_id, value ?? '']))

const toPatch = (changes: PersonValues): TeammatePatch => ({
  smart_fields: Object.entries(changes).map(([id, value]) => ({
    smart_field_id: id,
    value: value.trim() || null,
  })),
})

/** Problems by the id of the field; the API names places in the list that was sent. */
const problemsById = (
  problems: Readonly<Record<string, string>>,
  changes: PersonValues,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([place, text]) => {
      const index = /^smart_fields\[(\d+)\]/.exec(place)?.[1]
      const id = index === undefined ? undefined : Object.keys(changes)[Number(index)]
      return id === undefined ? [] : [[id, text]]
    }),
  )

type ValuesSaveOptions = Parameters<ReturnType<typeof useResource<PersonValues, TeammatePatch>>['save']>[1]
type PersonResource = ReturnType<typeof useResource<Teammate, TeammatePatch>>

/** What `ResourceForm` needs to edit the values of a person. */
export function usePersonValues(resource: PersonResource) {
  const draft: DraftOf<PersonValues> = useDraft({
    data: valuesOf(resource.stored.data),
    etag: resource.stored.etag,
  })
  return {
    draft,
    form: {
      resource: {
        ...resource,
        data: valuesOf(resource.data),
        save: (patch: TeammatePatch, { canMerge, onSaved, ...options }: ValuesSaveOptions = {}) =>
          resource.save(patch, {
            ...options,
            ...(canMerge && { canMerge: person => canMerge(valuesOf(person)) }),
            ...(onSaved && { onSaved: saved => onSaved({ ...saved, data: valuesOf(saved.data) }) }),
          }),
      },
      draft,
      toPatch: (changes: Partial<PersonValues>) => toPatch(changes as PersonValues),
      problemsOf: (problems: Readonly<Record<string, string>>) =>
        problemsById(problems, draft.changes as PersonValues),
      textOf: (value: unknown) => String(value ?? '').trim() || '–',
    },
  }
}
