// A member as other resources name it, also after the member has left.

import { NullableText, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'

export interface NamedMember {
  readonly member_id: string
  readonly name: string | null
  readonly email: string | null
}

export const namedMember = (description: string) =>
  ClosedObject({ member_id: Uuid(), name: NullableText(), email: NullableText() }, { description })
