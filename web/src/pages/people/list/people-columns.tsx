// The columns of the list of people.
import { SignoffError, type SmartField, type Teammate } from '@signoff/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { lockOf, peopleKey, pictureOf, valueIn } from '#records/people/people-data.ts'
import { useFieldErrors, useMessageOf } from '#state/error-messages.ts'
import { EditConflict, saveOverSeen } from '#state/use-edit.ts'
import { Badge } from '#ui/layout/page.tsx'
import { Avatar } from '#ui/picture/avatar.tsx'
import type { VirtualColumn } from '#ui/table/virtual-table.tsx'

const PersonCell = ({
  person,
  fields,
}: {
  readonly person: Teammate
  readonly fields: readonly SmartField[]
}) => {
  const t = useTranslations('people')
  const name = nameOfTeammate(person, fields)
  return (
    <Link
      to={`/people/${person.id}` as string}
      tabIndex={-1}
      className="flex min-h-10 min-w-0 items-center gap-3"
    >
      <Avatar name={name} src={pictureOf(person, fields)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {!person.active && <Badge>{t('inactive')}</Badge>}
        </span>
        {name !== person.email && (
          <span className="block truncate text-[0.8125rem] text-muted">{person.email}</span>
        )}
      </span>
    </Link>
  )
}

/** Pictures stand beside the name, and the address below it. */
export const canBeColumn = ({ kind, key }: SmartField): boolean => kind !== 'image' && key !== 'email'

const firstColumns = ['job_title', 'department', 'work_phone']

export const usualColumns = (fields: readonly SmartField[]): readonly string[] =>
  fields.filter(({ key }) => firstColumns.includes(key)).map(({ key }) => key)

/** The values of a person, or of a patch, by the id of the field. */
const valuesById = (person: object) =>
  Object.fromEntries(
    (person as Pick<Teammate, 'smart_fields'>).smart_fields.map(({ smart_field_id, value }) => [
      smart_field_id,
      value,
    ]),
  )

export function usePeopleColumns(
  fields: readonly SmartField[],
  chosen: readonly string[],
): readonly VirtualColumn<Teammate>[] {
  const t = useTranslations('people')
  const can = useCan()
  const messageOf = useMessageOf()
  const fieldErrors = useFieldErrors()
  const sentenceOf = (error: unknown): string => {
    if (error instanceof EditConflict) return t('changedMeanwhile', { value: String(error.rows[0]?.stored) })
    const isOfValue = error instanceof SignoffError && error.details.length > 0
    return (isOfValue && Object.values(fieldErrors(error))[0]) || messageOf(error)
  }
  const columnOf = (field: SmartField): VirtualColumn<Teammate> => ({
    id: field.key,
    title: field.label,
    width: 'minmax(9rem, 1fr)',
    sort: `smart_field:${field.key}`,
    isSecondary: true,
    cell: person => valueIn(person, field.id) ?? <span className="text-muted">–</span>,
    ...(can('teammates:write') && {
      edit: {
        valueOf: person => valueIn(person, field.id) ?? '',
        isEditable: () => lockOf(field) === null,
        save: async (person, value) => {
          try {
            await saveOverSeen({
              seen: person,
              patch: { smart_fields: [{ smart_field_id: field.id, value: value || null }] },
              partsOf: valuesById,
              read: () => api.teammates.get(person.id),
              save: (patch, options) => api.teammates.update(person.id, patch, options),
            })
          } finally {
            await queryClient.invalidateQueries({ queryKey: peopleKey })
          }
        },
        messageOf: sentenceOf,
      },
    }),
  })
  return [
    {
      id: 'name',
      title: t('person'),
      width: 'minmax(14rem, 2fr)',
      sort: 'name',
      cell: person => <PersonCell person={person} fields={fields} />,
    },
    ...fields.filter(field => canBeColumn(field) && chosen.includes(field.key)).map(columnOf),
  ]
}
