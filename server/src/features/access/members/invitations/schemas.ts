import { Type } from 'typebox'
import { roles } from '#kernel/api/scopes.ts'
import { OneOf, PersonName } from '#kernel/api/validation.ts'
import { closed } from '#kernel/base/closed.ts'

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The part of the link in the invitation after the #.',
})

export const InvitationToken = Type.Object({ token }, { title: 'InvitationToken', ...closed })

export const InvitationAnswer = Type.Object(
  {
    token,
    name: Type.Optional(PersonName({ description: 'Of the person. Needed for a new account.' })),
    password: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'Of the new account. An account that exists keeps its password: it signs in first.',
      }),
    ),
  },
  { title: 'InvitationAnswer', ...closed },
)

export const InvitationDetails = Type.Object(
  {
    workspace: Type.Object({ name: Type.String() }, closed),
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
  },
  { title: 'InvitationDetails', ...closed },
)
