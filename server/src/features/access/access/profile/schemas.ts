import { Type } from 'typebox'
import { Nullable, OneOf, PersonName, Uuid } from '#kernel/api/validation.ts'

const locale = Nullable(OneOf(['en', 'de'] as const))

export const ProfilePatch = Type.Object(
  { name: Type.Optional(PersonName()), locale: Type.Optional(locale) },
  { title: 'ProfilePatch', additionalProperties: false, examples: [{ name: 'Ada Lovelace', locale: 'en' }] },
)

export const Profile = Type.Object(
  { id: Uuid(), name: Type.String(), email: Type.String(), locale },
  { title: 'Profile', additionalProperties: false },
)
