import { Type } from 'typebox'
import { type NamedMember, namedMember } from '#features/workspace/accounts/index.ts'
import { smartFieldKinds } from '#features/workspace/smart-fields/index.ts'
import { vias } from '#kernel/api/scopes.ts'
import { Nullable, NullableText, NullableTimestamp, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const profileChangeStatuses = ['pending', 'approved', 'rejected'] as const
export type ProfileChangeStatus = (typeof profileChangeStatuses)[number]

const value = (description: string) =>
  Nullable<string>(
    Type.String({ description: `${description} Of an image field: the public address of the picture.` }),
  )
const assetId = () =>
  Nullable<string>(Uuid({ description: 'Of an image field: the asset. Null for other fields.' }))

export const ProfileChange = NamedObject('ProfileChange', {
  id: Uuid(),
  teammate: ClosedObject({
    id: Uuid(),
    name: Type.String({ description: 'First and last name; without them the primary address.' }),
    email: Type.String({ description: 'The primary address.' }),
  }),
  field: ClosedObject({ id: Uuid(), label: Type.String(), key: Type.String(), kind: OneOf(smartFieldKinds) }),
  before_value: value('The value when the change was requested; null: none.'),
  before_asset_id: assetId(),
  after_value: value('What the person asked for; null clears the value.'),
  after_asset_id: assetId(),
  current_value: value('While the change is pending: the value now. Afterwards: the value at the decision.'),
  changed_meanwhile: Type.Boolean({
    description:
      'Whether the value has changed between the request and now, or the decision: `current_value` differs from `before_value`. Approving replaces it all the same.',
  }),
  status: OneOf(profileChangeStatuses),
  reason: Nullable<string>(Type.String({ description: 'Why it was rejected.' })),
  requested_via: Nullable<string>(
    OneOf(vias, { description: '`personal_page`: without a sign-in. Null: the API itself.' }),
  ),
  requested_at: Timestamp(),
  decided_at: NullableTimestamp(),
  decided_by: Nullable<NamedMember>(
    namedMember('The member who decided; null while it is pending, and for the command line.'),
  ),
  created_at: Timestamp({ description: 'The same as `requested_at`.' }),
  updated_at: Timestamp({ description: 'When it was requested or decided.' }),
})

/** The fields beside `data` of an answer. */
export const pendingChanges = {
  pending_changes: Type.Optional(
    Type.Array(ProfileChange, {
      description:
        'Only where values of this request wait for the approval of a manager: they are not in `data` yet.',
    }),
  ),
}

export const ProfileChangeRejection = NamedObject('ProfileChangeRejection', {
  reason: Type.Optional({
    ...NullableText(500),
    description: 'The person reads it, in the mail and on the personal page.',
    examples: ['Job titles follow the list of the HR department.'],
  }),
})
