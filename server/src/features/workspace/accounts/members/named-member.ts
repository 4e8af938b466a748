// A member as other resources name it, also after the member has left.
import { Type } from 'typebox'
import { NullableText, Uuid } from '#kernel/api/validation.ts'

export interface NamedMember {
  readonly member_id: string
  readonly name: string | null
  readonly email: string | null
}

export const namedMember = (description: string) =>
  Type.Object(
    { member_id: Uuid(), name: NullableText(), email: NullableText() },
    { additionalProperties: false, description },
  )
