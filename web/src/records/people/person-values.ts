// The values of a person as a form edits them: texts by the id of the field.
import type { RequestOptions, Teammate, TeammatePatch } from '@signoff/sdk'
import { api } from '#api/client.ts'
import { useResource } from '#state/use-resource.ts'
import { personKey, refreshPerson } from './person-data.ts'

type PersonValues = Readonly<Record<string, string>>

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
    Object.entries(problems).flatMap(([position, text]) => {
      const index = /^smart_fields\[(\d+)\]/.exec(position)?.[1]
      const id = index === undefined ? undefined : Object.keys(changes)[Number(index)]
      return id === undefined ? [] : [[id, text]]
    }),
  )

/** Everything that `ResourceForm` needs to edit the values of a person. */
export function usePersonValues(id: string, labelOf: (fieldId: string) => string, onSaved?: () => void) {
  const resource = useResource({
    queryKey: personKey(id),
    read: () => api.teammates.get(id),
    save: (patch: TeammatePatch, options: RequestOptions) => api.teammates.update(id, patch, options),
    onSaved: () => {
      void refreshPerson()
      onSaved?.()
    },
    valuesOf,
    toPatch: changes => toPatch(changes as PersonValues),
    labelOf,
    textOf: value => String(value ?? '').trim() || '–',
  })
  return {
    ...resource,
    form: {
      resource,
      problemsOf: (problems: Readonly<Record<string, string>>) =>
        problemsById(problems, resource.changes as PersonValues),
    },
  }
}
