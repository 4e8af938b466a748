import { Type } from 'typebox'
import { reportableTroubles } from '#features/delivery/installations/index.ts'
import { reasonCodes } from '#features/signatures/recipients/index.ts'
import { Nullable, NullableText, NullableTimestamp, OneOf } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

export const FromQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 320, description: 'Required: the address that the mail is sent from.' }),
  ),
})

const MailSignature = Nullable<object>(
  ClosedObject({ html: Type.String(), text: Type.String(), sha: Type.String() }),
)

export const AddInSignature = NamedObject('AddInSignature', {
  new: MailSignature,
  reply: MailSignature,
  internal: MailSignature,
  domains: Type.Array(Type.String()),
})

const form = OneOf(['same', 'variant', 'hidden'])

export const AddInExplanation = NamedObject('AddInExplanation', {
  from: Type.String(),
  known: Type.Boolean(),
  signature: Nullable<object>(
    ClosedObject({
      name: Type.String(),
      published_at: NullableTimestamp(),
      reply: form,
      internal: form,
      campaign: NullableText(),
    }),
  ),
  candidates: Type.Array(
    ClosedObject({
      name: Type.String(),
      priority: Type.Integer(),
      chosen: Type.Boolean(),
      reason_code: OneOf(reasonCodes),
    }),
  ),
})

export const TroubleReport = NamedObject('TroubleReport', {
  code: OneOf(reportableTroubles),
  host: Type.String({ maxLength: 200 }),
  platform: Type.String({ maxLength: 200 }),
  from: Type.Optional(Type.String({ maxLength: 320 })),
})
