import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { accepted, dataOf, list, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { eventTypes } from '../events.ts'
import { findDeliveryWithPayload, listWebhookDeliveries, webhookDeliverySorts } from './queries.ts'
import { replayOne, replaySince } from './rules.ts'
import {
  deliveryStates,
  QueuedReplay,
  ReplayInput,
  WebhookDelivery,
  WebhookDeliveryWithPayload,
} from './schemas.ts'

export const webhookDeliveryRoutes: readonly Route[] = [
  route({
    name: 'webhooks.replay',
    method: 'POST',
    path: '/v1/webhooks/{id}/replay',
    access: 'webhooks:write',
    summary: 'Send the events of a webhook again, from a moment on',
    description:
      'Sends every event again that this webhook was to get since the given moment, whether it arrived or not: for a receiver that lost data. The requests have the same `webhook-id` and the same body as the first time. Events are kept for 30 days. The webhook must be active.',
    body: plainBody(ReplayInput),
    errors: ['invalid', 'out_of_range'],
    answers: { 202: dataOf(QueuedReplay) },
    async handle({ db, by, params, body }) {
      const queued = await replaySince(db, by, params.id, body.since)
      return accepted({ webhook_id: params.id.toLowerCase(), queued })
    },
  }),
  route({
    name: 'webhookDeliveries.list',
    method: 'GET',
    path: '/v1/webhook_deliveries',
    access: 'webhooks:read',
    summary: 'List what was sent to webhooks, or waits to be sent',
    description:
      'One row for each event and webhook of the last 30 days, newest first: its state, the number of attempts, and what the last attempt gave. Only the status of the answer is kept, never its body. Filter by `state=failed` to see what did not arrive.',
    query: Type.Object({
      ...pageQuery,
      webhook_id: Type.Optional(Uuid({ description: 'Only those of this webhook.' })),
      event: Type.Optional(OneOf(eventTypes)),
      state: Type.Optional(OneOf(deliveryStates)),
      ...sortQuery(webhookDeliverySorts),
    }),
    answers: { 200: pageOf(WebhookDelivery) },
    handle: async ({ db, by, query }) => list(await listWebhookDeliveries(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'webhookDeliveries.get',
    method: 'GET',
    path: '/v1/webhook_deliveries/{id}',
    access: 'webhooks:read',
    summary: 'Read a delivery with its payload',
    description:
      'One event for one webhook, with the payload that every attempt sends. The payload was stored in the transaction of the change, so it shows the change as it was then. Read `data.path` for the resource as it is now.',
    answers: { 200: dataOf(WebhookDeliveryWithPayload) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findDeliveryWithPayload(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'webhookDeliveries.replay',
    method: 'POST',
    path: '/v1/webhook_deliveries/{id}/replay',
    access: 'webhooks:write',
    summary: 'Send one delivery again',
    description:
      'Sends the same request again at once, with the same `webhook-id` and body, and counts its attempts anew. A delivery that arrived before can be sent again too; receivers recognise it by its `webhook-id`. The webhook must be active.',
    errors: ['invalid'],
    answers: { 202: dataOf(WebhookDelivery) },
    handle: async ({ db, by, params }) => accepted(await replayOne(db, by, params.id)),
  }),
]
