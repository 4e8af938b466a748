import { Type } from 'typebox'
import { SourceSchema as Source } from '#features/recipients/index.ts'
import { NullableText, NullableUuid, OneOf, Timestamp, Uuid } from '#kernel/validation.ts'

const closed = { additionalProperties: false }

export const mailKinds = ['new', 'reply', 'internal'] as const

export const ExplainQuery = Type.Object({
  kind: Type.Optional(OneOf(mailKinds, { description: 'The kind of mail; `new` when left out.' })),
  at: Type.Optional(Timestamp({ description: 'The moment to answer for; now when left out.' })),
})

export const Explanation = Type.Object(
  {
    signature_id: NullableUuid(),
    variant: NullableText(),
    campaign_id: NullableUuid(),
    html: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    text: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    candidates: Type.Array(
      Type.Object(
        {
          signature_id: Uuid(),
          name: Type.String(),
          priority: Type.Integer(),
          sources: Type.Array(Source),
          chosen: Type.Boolean(),
          reason: Type.String(),
        },
        closed,
      ),
    ),
  },
  { title: 'SignatureExplanation', ...closed },
)
