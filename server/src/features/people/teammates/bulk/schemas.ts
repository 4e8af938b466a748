import { type Static, Type } from 'typebox'
import { Nullable, NullableTimestamp, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { TeammateInput } from '../schemas.ts'
import { teammateFilterQuery } from '../selection/filters.ts'

/** The most people that one request names, and that one transaction changes. */
export const maxIds = 1_000
/** The most people that a filter can find. */
export const maxMatched = 100_000
/** The most failures in one answer. */
export const maxFailures = 50

export const TeammatesPatch = NamedObject(
  'TeammatesPatch',
  {
    ids: Type.Optional(
      Type.Array(Uuid(), { minItems: 1, maxItems: maxIds, description: 'Either this or `filter`.' }),
    ),
    filter: Type.Optional(
      ClosedObject(teammateFilterQuery, {
        description: `The filters of the list; \`{}\` selects all. They can find up to ${maxMatched.toLocaleString('en')} people.`,
      }),
    ),
    changes: ClosedObject(
      { smart_fields: TeammateInput.properties.smart_fields },
      {
        minProperties: 1,
        description: 'The same for all. Pictures can only be cleared: each person has their own.',
      },
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only tells what would happen, and gives the `token`.' }),
    ),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'From the dry run: the change is refused when the filter finds other people now.',
      }),
    ),
  },
  {
    examples: [
      {
        filter: { smart_field: 'department', smart_field_value: 'Sales' },
        changes: { smart_fields: [{ smart_field: 'company', value: 'Example Ltd' }] },
        dry_run: true,
      },
    ],
  },
)
export type TeammatesPatch = Static<typeof TeammatesPatch>

export const TeammatesChanged = NamedObject('TeammatesChanged', {
  dry_run: Type.Boolean(),
  matched: Type.Integer({ description: 'People that the request selects.' }),
  changed: Type.Integer({ description: 'Those whose values change.' }),
  unchanged: Type.Integer({ description: 'Those who have all these values already.' }),
  failed_count: Type.Integer(),
  failed: Type.Array(ClosedObject({ teammate_id: Uuid(), details: Type.Array(Type.Unknown()) }), {
    description: `The first ${maxFailures}, each with the reason.`,
  }),
  token: Type.String({ description: 'Stands for exactly these people.' }),
  change_id: Nullable<string>(Uuid({ description: 'The record of the change; null for a dry run.' })),
})

const changeStatuses = ['pending', 'done', 'failed'] as const

export const TeammateChange = NamedObject('TeammateChange', {
  id: Uuid(),
  status: OneOf(changeStatuses),
  matched: Type.Integer({ description: 'People to change.' }),
  processed: Type.Integer({ description: 'Those that are done.' }),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  missing: Type.Integer({ description: 'Those who were deleted meanwhile.' }),
  message: Nullable<string>(Type.String({ description: 'Why it has failed.' })),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  finished_at: NullableTimestamp(),
})
