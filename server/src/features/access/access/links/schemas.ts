import { Type } from 'typebox'
import { closed } from '#kernel/base/closed.ts'

const Address = () => Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] })

export const LinkBody = Type.Object(
  {
    email: Address(),
    return_to: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'The path to open after the sign-in. One that leads to another site is replaced by `/`.',
      }),
    ),
  },
  closed,
)

export const ForgotBody = Type.Object({ email: Address() }, closed)

export const ResetBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.String({ minLength: 1, maxLength: 1_000 }),
  },
  closed,
)

export const MailAsked = Type.Object(
  { valid_minutes: Type.Integer({ description: 'How long the link works, if one is mailed.' }) },
  { title: 'MailAsked', additionalProperties: false },
)
