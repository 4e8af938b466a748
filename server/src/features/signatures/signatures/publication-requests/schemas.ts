import { type Static, Type } from 'typebox'
import { ContentTree } from '#features/content/content/index.ts'
import { type NamedMember, namedMember } from '#features/workspace/accounts/index.ts'
import { Nullable, NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { NullableContent } from '../schemas.ts'
import { variantKinds } from '../variants/schemas.ts'

/** Kinds of content that can be published on their own: the signature itself, or one of its variants. */
const publicationKinds = ['primary', ...variantKinds] as const
export type PublicationKind = (typeof publicationKinds)[number]

const requestStatuses = ['pending', 'approved', 'rejected', 'replaced'] as const
export type RequestStatus = (typeof requestStatuses)[number]

const baseFields = {
  id: Uuid(),
  status: OneOf(requestStatuses, {
    description:
      '`replaced`: a newer request for the same signature and kind, or a publish by an owner or admin, came first.',
  }),
  signature_id: Uuid(),
  signature_name: Type.String(),
  kind: OneOf(publicationKinds, {
    description: '`primary` is the signature itself, the others are variants.',
  }),
  stale: Type.Boolean({
    description: 'The request is pending, and the draft has changed since: it cannot be approved any more.',
  }),
  requested_by: Type.Unsafe<NamedMember>(
    namedMember('The member who asked. The name is kept when the member leaves.'),
  ),
  decided_by: Nullable<NamedMember>(
    namedMember('The member who approved, rejected or replaced the request.'),
  ),
  decided_at: NullableTimestamp(),
  reason: Nullable<string>(Type.String({ description: 'Why the request was rejected.' })),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const PublicationRequestListItem = NamedObject('PublicationRequestListItem', baseFields)

export const PublicationRequest = NamedObject('PublicationRequest', {
  ...baseFields,
  before: NullableContent(
    'The live content: that of now while the request is pending, later that of the moment of the decision.',
  ),
  after: ContentTree(),
})
export type PublicationRequest = Static<typeof PublicationRequest>

export const requestFilters = {
  status: Type.Optional(OneOf(requestStatuses, { description: 'Only requests with this status.' })),
  signature_id: Type.Optional(Uuid({ description: 'Only requests for this signature.' })),
}

export const RejectionInput = NamedObject('PublicationRejectionInput', {
  reason: Type.Optional(
    Nullable<string>(
      Text(500, {
        examples: ['Please use the new logo.'],
        description: 'For the member who asked: shown with the request, and mailed.',
      }),
    ),
  ),
})
