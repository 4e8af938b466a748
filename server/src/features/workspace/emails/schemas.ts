import { Type } from 'typebox'
import { EmailAddress, Timestamp, Uuid } from '#kernel/api/validation.ts'

export const Email = Type.Object(
  {
    id: Uuid(),
    address: Type.String(),
    primary: Type.Boolean(),
    teammate_id: Uuid(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Email', additionalProperties: false },
)

const address = EmailAddress({ examples: ['sales@example.com'] })

export const EmailInput = Type.Object(
  { teammate_id: Uuid(), address },
  { title: 'EmailInput', additionalProperties: false },
)

export const EmailPatch = Type.Object(
  {
    address: Type.Optional(address),
    primary: Type.Optional(
      Type.Boolean({ description: 'true makes this the primary address of the teammate.' }),
    ),
  },
  { title: 'EmailPatch', additionalProperties: false },
)
