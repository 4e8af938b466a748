import { Type } from 'typebox'
import { roles } from '#kernel/api/scopes.ts'
import {
  EmailAddress,
  NullableTimestamp,
  OneOf,
  PersonName,
  Timestamp,
  Uuid,
} from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const fields = {
  id: Uuid(),
  name: Type.String(),
  email: Type.String(),
  role: OneOf(roles),
  status: OneOf(['active', 'invited'], {
    description: '`invited`: the person has not accepted the invitation yet.',
  }),
  last_seen_at: Type.Unsafe<string | null>({
    ...NullableTimestamp(),
    description: 'When the member last used the workspace in a browser, to the minute.',
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const Member = NamedObject('Member', fields)

export const InvitedMember = NamedObject('InvitedMember', {
  ...fields,
  invitation_url: Type.Optional(
    Type.String({
      description:
        'Where the invitation is accepted, in this answer alone. Only while no mail server is set; otherwise the invitation is mailed.',
    }),
  ),
})

/** The owner is chosen by `make_owner`. */
export const givenRoles = ['admin', 'manager', 'member'] as const
export type GivenRole = (typeof givenRoles)[number]
const role = OneOf(givenRoles, { description: 'Never above the role of the caller.' })
const name = PersonName({ examples: ['Grace Kim'] })

export const MemberInput = NamedObject('MemberInput', {
  email: EmailAddress({ examples: ['grace.kim@example.com'] }),
  name: Type.Optional(
    PersonName({
      examples: ['Grace Kim'],
      description:
        'Default: the part of the address before the @. An account that exists brings its own name when the invitation is accepted.',
    }),
  ),
  role,
})

export const MemberPatch = NamedObject('MemberPatch', {
  name: Type.Optional(name),
  role: Type.Optional(role),
})
