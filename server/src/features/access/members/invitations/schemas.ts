import { type Static, Type } from 'typebox'
import { roles } from '#kernel/api/scopes.ts'
import { OneOf, PersonName } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of the link in the invitation after the #.',
})

export const InvitationToken = NamedObject('InvitationToken', { token })

export const InvitationAnswer = NamedObject('InvitationAnswer', {
  token,
  name: Type.Optional(PersonName({ description: 'Of the person. Needed for a new account.' })),
  password: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Of the new account. An account that exists keeps its password: it signs in first.',
    }),
  ),
})

export type InvitationAnswer = Static<typeof InvitationAnswer>

/** Data for the page that is shown before the invitation is accepted. */
export const InvitationDetails = NamedObject('InvitationDetails', {
  workspace: ClosedObject({ name: Type.String() }),
  email: Type.String(),
  name: Type.String(),
  role: OneOf(roles),
  invited_by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The name of the member who invited; null when the operator did.',
  }),
  needs: OneOf(['password', 'sign_in', 'nothing'], {
    description:
      'What accepting needs: a name and a `password` for a new account, a `sign_in` of the account that exists, or `nothing` more because this browser is signed in with it.',
  }),
})

export type InvitationDetails = Static<typeof InvitationDetails>
