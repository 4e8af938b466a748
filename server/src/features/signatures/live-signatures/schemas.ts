import { Type } from 'typebox'
import { reasonCodes, SourceSchema as Source } from '#features/signatures/recipients/index.ts'
import { NullableText, NullableUuid, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const mailKinds = ['new', 'reply', 'internal'] as const

export const ExplainQuery = Type.Object({
  kind: Type.Optional(OneOf(mailKinds, { description: 'The kind of mail; `new` when left out.' })),
  to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 26_000,
      description:
        'The recipients of the mail: up to 100 addresses, separated by commas. The mail is internal when all of them are in `own_domains` of the workspace; `kind` then only says whether it is a reply.',
    }),
  ),
  at: Type.Optional(Timestamp({ description: 'The moment to answer for; now when left out.' })),
  tracked: Type.Optional(
    Type.Boolean({
      default: true,
      description: '`false`: without pixel and tracked links, to look at it without counting a view.',
    }),
  ),
})

export const Explanation = NamedObject('SignatureExplanation', {
  signature_id: NullableUuid(),
  variant: NullableText(),
  internal: Type.Boolean({
    description: 'Whether the mail is internal: all recipients are in the own domains of the workspace.',
  }),
  campaign_id: NullableUuid(),
  html: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  text: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  candidates: Type.Array(
    ClosedObject({
      signature_id: Uuid(),
      name: Type.String(),
      priority: Type.Integer(),
      sources: Type.Array(Source),
      chosen: Type.Boolean(),
      reason_code: OneOf(reasonCodes, {
        description:
          '`first`: it is the one. `same_priority`: the chosen one is older. `later`: the chosen one has a lower priority number. `never_published` and `switched_off`: it cannot be chosen.',
      }),
      reason: Type.String({ description: 'The same as a sentence for people, in English.' }),
    }),
  ),
})
