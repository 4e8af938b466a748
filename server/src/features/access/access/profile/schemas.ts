import { Type } from 'typebox'
import { Nullable, OneOf, PersonName, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const locale = Nullable(OneOf(['en', 'de'] as const))

export const ProfilePatch = NamedObject(
  'ProfilePatch',
  { name: Type.Optional(PersonName()), locale: Type.Optional(locale) },
  { examples: [{ name: 'Ada Lovelace', locale: 'en' }] },
)

export const Profile = NamedObject('Profile', {
  id: Uuid(),
  name: Type.String(),
  email: Type.String(),
  locale,
})
