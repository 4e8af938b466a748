import { Type } from 'typebox'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

const Address = () => Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] })

export const LinkBody = ClosedObject({
  email: Address(),
  return_to: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: 'The path to open after the sign-in. One that leads to another site is replaced by `/`.',
    }),
  ),
})

export const ForgotBody = ClosedObject({ email: Address() })

export const ResetBody = ClosedObject({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
})

export const MailAsked = NamedObject('MailAsked', {
  valid_minutes: Type.Integer({ description: 'How long the link works, if one is mailed.' }),
})
