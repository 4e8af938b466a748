import { Type } from 'typebox'
import { OneOf, Timestamp, Uuid } from '#kernel/validation.ts'

const closed = { additionalProperties: false }

export const PersonalPage = Type.Object(
  {
    email_id: Uuid(),
    url: Type.String({
      format: 'uri',
      description: 'For the owner of the address. It needs no password: give it to no other person.',
    }),
    created_at: Timestamp({ description: 'When the page got this address.' }),
  },
  { title: 'PersonalPage', ...closed },
)

export const CopiedQuery = Type.Object({
  version: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Which signature, by the SHA-256 of its HTML.' }),
  ),
})

export const Copied = Type.Object(
  { state: OneOf(['current', 'outdated', 'none'], { description: 'Of what was copied.' }) },
  { title: 'SignatureCopied', ...closed },
)
