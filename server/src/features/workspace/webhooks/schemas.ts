import { type Static, Type } from 'typebox'
import { Nullable, NullableTimestamp, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { type EventType, eventTypes } from './events.ts'

export const EventName = OneOf(eventTypes, { title: 'WebhookEventName' })

const subscribed = Type.Unsafe<readonly EventType[]>(
  Type.Array(EventName, {
    title: 'WebhookEvents',
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'The events that are sent to this webhook. `webhook.test` is always sent on request.',
    examples: [['teammate.created', 'teammate.updated', 'teammate.deleted']],
  }),
)

const fields = {
  id: Uuid(),
  url: Type.String(),
  events: subscribed,
  active: Type.Boolean({ description: 'Only an active webhook gets events.' }),
  disabled_reason: Nullable<'gone' | 'failing'>(
    OneOf(['gone', 'failing'] as const, {
      description:
        'Why the service switched the webhook off. `gone`: the receiver answered 410. `failing`: nothing but failures for 3 days. Null: the service did not.',
    }),
  ),
  disabled_at: NullableTimestamp(),
  failing_since: Type.Unsafe<string | null>({
    ...NullableTimestamp(),
    description: 'The first failure since the last success; null while deliveries succeed.',
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

export const Webhook = NamedObject('Webhook', fields, {
  description: 'An address of yours that is told about changes.',
})

export type Webhook = Static<typeof Webhook>

export const NewWebhook = NamedObject('NewWebhook', {
  ...fields,
  secret: Type.String({ description: 'What requests are signed with. It is shown this once.' }),
})

export const WebhookInput = NamedObject('WebhookInput', {
  url: Text(2_000, {
    description: 'Where events are posted to: a public address that begins with https:// or http://.',
    examples: ['https://hooks.example.com/signoff'],
  }),
  events: subscribed,
  active: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
})

export type WebhookInput = Static<typeof WebhookInput>

export const WebhookPatch = Type.Partial(WebhookInput, { title: 'WebhookPatch', additionalProperties: false })
