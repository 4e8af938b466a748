import { type Static, Type } from 'typebox'
import { EmailSchema } from '#features/workspace/emails/index.ts'
import { smartFieldName } from '#features/workspace/smart-fields/index.ts'
import { EmailAddress, Nullable, NullableUuid, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const teammateSources = ['manual', 'directory'] as const

export const Teammate = NamedObject('Teammate', {
  id: Uuid(),
  email: Type.String({ description: 'The primary address.' }),
  emails: Type.Array(EmailSchema),
  smart_fields: Type.Array(
    ClosedObject({
      smart_field_id: Uuid(),
      label: Type.String(),
      value: Nullable<string>(
        Type.String({ description: 'Of an image field: the public address of the part that is shown.' }),
      ),
      asset_id: Type.Optional(
        Nullable<string>(Uuid({ description: 'Only of image fields: the asset that is shown.' })),
      ),
    }),
    { description: 'Every smart field of the workspace; `value` is null where the teammate has none.' },
  ),
  source: OneOf(teammateSources),
  integration_id: NullableUuid(),
  active: Type.Boolean(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Teammate = Static<typeof Teammate>

const email = EmailAddress({ examples: ['ada@example.com'] })
/** Limit of values in one request for one teammate. */
export const maxSentValues = 1_000
const smart_fields = Type.Array(
  ClosedObject({
    ...smartFieldName,
    value: Nullable<string>(
      Type.String({
        maxLength: 5_000,
        description:
          'For an image field: the id of an asset, or a public https address, whose picture becomes an asset with the role `profile_picture`.',
      }),
    ),
  }),
  {
    title: 'SmartFieldValues',
    maxItems: maxSentValues,
    description:
      'Values by smart field; null or an empty text clears one. Values of fields that a directory syncs have no effect: the answer names them in `ignored`.',
    examples: [[{ smart_field: 'first_name', value: 'Ada' }]],
  },
)

export const TeammateInput = NamedObject('TeammateInput', {
  email,
  smart_fields: Type.Optional(smart_fields),
})
export const TeammatePatch = Type.Partial(TeammateInput, {
  title: 'TeammatePatch',
  additionalProperties: false,
})

/** Each row is validated by itself, so that one invalid row does not reject the others. */
export const TeammateImport = NamedObject('TeammateImport', {
  teammates: Type.Array(Type.Unknown(), {
    maxItems: 1_000,
    description: 'Rows like the `teammate` of a create.',
    examples: [[{ email: 'ada@example.com', smart_fields: [] }]],
  }),
})

export const ImportResult = NamedObject('ImportResult', {
  created: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Array(
    ClosedObject({
      index: Type.Integer(),
      email: Nullable<string>(Type.String()),
      details: Type.Array(Type.Unknown()),
    }),
  ),
})
