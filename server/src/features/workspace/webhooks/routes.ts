import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
  accepted,
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { findWebhookDelivery } from './deliveries/queries.ts'
import { webhookDeliveryRoutes } from './deliveries/routes.ts'
import { WebhookDelivery } from './deliveries/schemas.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  urlProblems,
  type WebhookDeps,
} from './rules.ts'
import { NewWebhook, Webhook, WebhookInput, WebhookPatch } from './schemas.ts'

/** The properties that the ETag covers: neither the secret, nor what deliveries change by themselves. */
const versionOf = ({
  secret: _,
  failing_since: __,
  ...rest
}: Webhook & { readonly secret?: string }): object => rest

const answerOf = (webhook: Webhook): Answer => ok(webhook, versionOf(webhook))

const actionRoutes: readonly Route[] = [
  route({
    name: 'webhooks.test',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    access: 'webhooks:write',
    summary: 'Send a test event',
    description:
      'Sends the event `webhook.test` to this webhook, whatever events it has subscribed to. It is signed, retried and listed like every other delivery: read the delivery in the answer to see what the receiver said. The webhook must be active.',
    errors: ['invalid'],
    answers: { 202: dataOf(WebhookDelivery) },
    async handle({ db, by, params }) {
      const id = await testWebhook(db, by, params.id)
      return accepted(orNotFound(await findWebhookDelivery(db, by.workspaceId, id)))
    },
  }),
  route({
    name: 'webhooks.delete',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    access: 'webhooks:delete',
    summary: 'Delete a webhook',
    description:
      'Deletes the webhook with its secret and its deliveries, for good. No further request to its address begins; a request that is under way can still arrive. To stop for some time, set `active` to false instead.',
    answers: { 204: null },
    handle: ({ db, by, params }) => deleteWebhook(db, by, params.id).then(noContent),
  }),
]

export const webhookRoutes = (deps: WebhookDeps): readonly Route[] => [
  route({
    name: 'webhooks.list',
    method: 'GET',
    path: '/v1/webhooks',
    access: 'webhooks:read',
    summary: 'List webhooks',
    description:
      'The webhooks of the workspace, without their secrets: which events go where, whether they are active, since when deliveries fail, and why and when the service switched one off.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(Webhook) },
    handle: async ({ db, by, query }) => list(await listWebhooks(db, by.workspaceId, query)),
  }),
  route({
    name: 'webhooks.create',
    method: 'POST',
    path: '/v1/webhooks',
    access: 'webhooks:write',
    summary: 'Create a webhook',
    description:
      'From now on the chosen events are posted to this address, signed as Standard Webhooks. The secret is in this answer alone. The address must be on the public internet; private addresses are refused, here and at every request. A workspace has at most 20 webhooks. Some events belong to features that are not there yet; they can be subscribed to already.',
    secret: true,
    body: maybeWrappedBody('webhook', WebhookInput, { problems: urlProblems(deps) }),
    errors: ['invalid', 'too_many'],
    answers: { 201: dataOf(NewWebhook) },
    async handle({ db, by, body }) {
      const webhook = await createWebhook(db, by, body, deps)
      return created(webhook, `/v1/webhooks/${webhook.id}`, versionOf(webhook))
    },
  }),
  route({
    name: 'webhooks.get',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    access: 'webhooks:read',
    summary: 'Read a webhook, without its secret',
    description:
      'One webhook with its events and its health. `failing_since` is the first failure since the last success. When the service has switched the webhook off, `disabled_reason` and `disabled_at` say why and when.',
    answers: { 200: dataOf(Webhook) },
    handle: async ({ db, by, params }) =>
      answerOf(orNotFound(await findWebhook(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'webhooks.update',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    access: 'webhooks:write',
    summary: 'Change a webhook, or switch it on or off',
    description:
      'Changes the address, the events, or whether the webhook is active; its secret stays the same. While it is inactive nothing is sent: pending deliveries wait, and new events are not kept for it. A new address, or switching it on again, clears its earlier failures.',
    body: maybeWrappedBody('webhook', WebhookPatch, { problems: urlProblems(deps) }),
    errors: ['invalid'],
    answers: { 200: dataOf(Webhook) },
    handle: async ({ db, by, params, body }) => answerOf(await changeWebhook(db, by, params.id, body)),
  }),
  route({
    name: 'webhooks.rotate',
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate',
    access: 'webhooks:write',
    summary: 'Give a webhook a new secret; the old one signs too for 24 hours',
    description:
      'Gives the webhook a new secret, which is in this answer alone. For 24 hours every request has two signatures, one by the old and one by the new secret, so that the receiver can be changed without an interruption.',
    secret: true,
    answers: { 200: dataOf(NewWebhook) },
    handle: async ({ db, by, params }) => answerOf(await rotateSecret(db, by, params.id, deps)),
  }),
  ...actionRoutes,
  ...webhookDeliveryRoutes,
]
