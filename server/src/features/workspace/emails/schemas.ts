import { type Static, Type } from 'typebox'
import { EmailAddress, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const Email = NamedObject('Email', {
  id: Uuid(),
  address: Type.String(),
  primary: Type.Boolean(),
  teammate_id: Uuid(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Email = Static<typeof Email>

const address = EmailAddress({ examples: ['sales@example.com'] })

export const EmailInput = NamedObject('EmailInput', { teammate_id: Uuid(), address })

export const EmailPatch = NamedObject('EmailPatch', {
  address: Type.Optional(address),
  primary: Type.Optional(
    Type.Boolean({ description: 'true makes this the primary address of the teammate.' }),
  ),
})
