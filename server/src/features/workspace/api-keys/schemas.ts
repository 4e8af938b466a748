import { type Static, Type } from 'typebox'
import { grants } from '#kernel/api/scopes.ts'
import { NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const fields = {
  id: Uuid(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  prefix: Type.String({ description: 'How the key begins, to tell keys apart.' }),
  member_id: Uuid({ description: 'Whom the key acts as.' }),
  expires_at: NullableTimestamp(),
  last_used_at: NullableTimestamp(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const ApiKey = NamedObject('ApiKey', fields)
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = NamedObject('NewApiKey', {
  ...fields,
  key: Type.String({ description: 'The whole key. It is shown this once.' }),
})

export const ApiKeyInput = NamedObject('ApiKeyInput', {
  name: Text(200, { examples: ['CRM sync'] }),
  scopes: Type.Optional(
    Type.Array(OneOf(grants), {
      title: 'ApiKeyScopes',
      minItems: 1,
      maxItems: 100,
      description: 'Default: those of the key that creates it.',
    }),
  ),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      ...NullableTimestamp(),
      description:
        'Default: in one year; null: never. Never later than the expiry of the key that creates it.',
    }),
  ),
})
export type ApiKeyInput = Static<typeof ApiKeyInput>

export const ApiKeyPatch = Type.Partial(ApiKeyInput, { title: 'ApiKeyPatch', additionalProperties: false })
