import { Type } from 'typebox'
import { DayOrInstant, Nullable, NullableTimestamp, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { EventName } from '../schemas.ts'
import { problemWords } from '../sending/outcome.ts'

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const fields = {
  id: Uuid(),
  webhook_id: Uuid(),
  message_id: Type.String({
    description: 'The header `webhook-id` of every attempt.',
    examples: ['msg_01a1e0a4-15b9-71f7-98af-f25f4b8294b4'],
  }),
  event: EventName,
  state: OneOf(deliveryStates, {
    description: '`pending`: an attempt follows. `failed`: no attempt follows, unless it is replayed.',
  }),
  attempts: Type.Integer({ description: 'Since the event, or since the last replay.' }),
  next_attempt_at: NullableTimestamp(),
  response_status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The status that the receiver answered to the last attempt. Its body is never stored.',
  }),
  problem: Nullable(OneOf(problemWords, { description: 'Why the last attempt failed.' })),
  duration_ms: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  attempted_at: NullableTimestamp(),
  created_at: Timestamp(),
}

export const WebhookDelivery = NamedObject('WebhookDelivery', fields, {
  description: 'One event for one webhook, with the result of the last attempt.',
})

export const WebhookDeliveryWithPayload = NamedObject('WebhookDeliveryWithPayload', {
  ...fields,
  payload: Type.Object(
    {
      type: EventName,
      timestamp: Timestamp(),
      data: Type.Object({}, { additionalProperties: true }),
    },
    { description: 'The body of every attempt.' },
  ),
})

export const ReplayInput = NamedObject('ReplayInput', {
  since: DayOrInstant({
    maxLength: 40,
    examples: ['2026-11-16T08:00:00Z'],
    description: 'Events from this instant (or day, in UTC) on are sent again, at most 30 days back.',
  }),
})

export const QueuedReplay = NamedObject('QueuedReplay', {
  webhook_id: Uuid(),
  queued: Type.Integer({ description: 'How many deliveries will be sent again.' }),
})
