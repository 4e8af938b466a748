import { Type } from 'typebox'
import { reportableTroubles } from '#features/delivery/installations/index.ts'
import { reasonCodes } from '#features/signatures/recipients/index.ts'
import { Nullable, NullableText, NullableTimestamp, OneOf } from '#kernel/api/validation.ts'
import { closed } from '#kernel/base/closed.ts'

export const FromQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 320, description: 'Required: the address that the mail is sent from.' }),
  ),
})

const MailSignature = Nullable<object>(
  Type.Object({ html: Type.String(), text: Type.String(), sha: Type.String() }, closed),
)

export const AddInSignature = Type.Object(
  { new: MailSignature, reply: MailSignature, internal: MailSignature, domains: Type.Array(Type.String()) },
  { title: 'AddInSignature', ...closed },
)

const form = OneOf(['same', 'variant', 'hidden'])

export const AddInExplanation = Type.Object(
  {
    from: Type.String(),
    known: Type.Boolean(),
    signature: Nullable<object>(
      Type.Object(
        {
          name: Type.String(),
          published_at: NullableTimestamp(),
          reply: form,
          internal: form,
          campaign: NullableText(),
        },
        closed,
      ),
    ),
    candidates: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          priority: Type.Integer(),
          chosen: Type.Boolean(),
          reason_code: OneOf(reasonCodes),
        },
        closed,
      ),
    ),
  },
  { title: 'AddInExplanation', ...closed },
)

export const TroubleReport = Type.Object(
  {
    code: OneOf(reportableTroubles),
    host: Type.String({ maxLength: 200 }),
    platform: Type.String({ maxLength: 200 }),
    from: Type.Optional(Type.String({ maxLength: 320 })),
  },
  { title: 'TroubleReport', ...closed },
)
