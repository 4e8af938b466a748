import { Type } from 'typebox'
import { outcomes } from '#features/measurement/events/index.ts'
import { Nullable, NullableText, NullableUuid, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { dateQuery, filterQuery } from '../schemas.ts'

const NullableNumber = () => Nullable<number>(Type.Number())
const NullableObject = () => Nullable<object>(Type.Object({}, { additionalProperties: true }))

export const eventQuery = {
  ...dateQuery,
  ...filterQuery,
  name: Type.Optional(Text(200, { description: 'Views are called `$view`, clicks `$click`.' })),
  distinct_id: Type.Optional(Text(5_000)),
  outcome: OneOf([...outcomes, 'any'], {
    default: 'counted',
    description:
      'What bots, link scanners, prefetching and HEAD requests did is left out of all numbers; here it can be seen.',
  }),
}

export const RecordedEvent = NamedObject('RecordedEvent', {
  id: Uuid(),
  recorded_at: Timestamp(),
  name: Type.String(),
  value: NullableNumber(),
  currency: NullableText(),
  click_id: Nullable<string>(Type.String({ description: 'As it was sent, where it is not a UUID.' })),
  signature_template_uuid: NullableUuid(),
  marketing_campaign_uuid: NullableUuid(),
  teammate_uuid: NullableUuid(),
  anchor_uuid: NullableText(),
  email_uuid: NullableUuid(),
  country_code: NullableText(),
  distinct_id: NullableText(),
  anonymous_id: NullableText(),
  properties: NullableObject(),
  outcome: OneOf(outcomes),
})

export const groupings = [
  'name',
  'signature_template',
  'marketing_campaign',
  'teammate',
  'anchor',
  'country',
  'currency',
  'user',
] as const
export type SummaryGrouping = (typeof groupings)[number]

const sums = {
  count: Type.Integer(),
  value: Type.Number({ description: 'The sum of the values, whatever their currency.' }),
}

export const SummaryRow = NamedObject('EventSummaryRow', { id: Type.String(), label: Type.String(), ...sums })
export const SummaryTotals = NamedObject('EventSummaryTotals', sums)

export const Visitor = NamedObject('Visitor', {
  distinct_id: Type.String(),
  traits: NullableObject(),
  event_count: Type.Integer(),
  value: Type.Number(),
  first_seen_at: Timestamp(),
  last_seen_at: Timestamp(),
})
