import { type Static, Type } from 'typebox'
import { NullableTimestamp, NullableUuid, OneOf } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { NullableContent } from '../schemas.ts'

/** The kinds of mail that can have their own signature, in the order of the API list. */
export const variantKinds = ['reply', 'internal'] as const
export type VariantKind = (typeof variantKinds)[number]

export const SignatureVariant = NamedObject('SignatureVariant', {
  kind: OneOf(variantKinds),
  exists: Type.Boolean({ description: 'False until it is made: then all else is null or false.' }),
  id: NullableUuid(),
  activated: Type.Boolean({ description: 'False: the primary signature is used.' }),
  hidden: Type.Boolean({ description: 'True: no signature on this kind of mail.' }),
  show_marketing_campaigns: Type.Boolean(),
  content: NullableContent('The published layout.'),
  draft_content: NullableContent('The layout that the next publish makes live.'),
  last_published_at: NullableTimestamp(),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
})

export const VariantPatch = NamedObject('SignatureVariantPatch', {
  draft_content: Type.Optional(NullableContent('Changes the draft alone; null clears it.')),
  activated: Type.Optional(Type.Boolean()),
  hidden: Type.Optional(Type.Boolean()),
  show_marketing_campaigns: Type.Optional(Type.Boolean()),
})
export type VariantPatch = Static<typeof VariantPatch>
