import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
  dataOf,
  jsonText,
  list,
  ok,
  okWith,
  plainBody,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { PublishInput } from '../check/schemas.ts'
import type { Published } from '../publish.ts'
import { findRequest, listRequests } from './queries.ts'
import { type ApprovalDeps, approveRequest, type Requested, rejectRequest } from './rules.ts'
import { PublicationRequest, PublicationRequestListItem, RejectionInput, requestFilters } from './schemas.ts'

/** 200 with what was published, or 202 with the request that waits for an approval. */
export const publishAnswer = (outcome: Published<object> | Requested): Answer =>
  'request' in outcome
    ? jsonText(JSON.stringify({ data: outcome.request, warnings: outcome.warnings }), 202)
    : okWith(outcome.published, { warnings: outcome.warnings })

const decides = { access: 'signatures:write', leastRole: 'admin' } as const

export const publicationRequestRoutes = (deps: ApprovalDeps): readonly Route[] => [
  route({
    name: 'publicationRequests.list',
    method: 'GET',
    path: '/v1/publication_requests',
    access: 'signatures:read',
    summary: 'List the requests to publish',
    description:
      'What managers asked to publish where the workspace wants approvals (`publish_approval`), newest first, without the content. `status=pending` lists those that wait; `signature_id` those of one signature.',
    query: Type.Object({ ...pageQuery, ...requestFilters }),
    answers: { 200: pageOf(PublicationRequestListItem) },
    handle: async ({ db, by, query }) => list(await listRequests(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'publicationRequests.get',
    method: 'GET',
    path: '/v1/publication_requests/{id}',
    access: 'signatures:read',
    summary: 'Read a request to publish, with the content before and after',
    description:
      'One request with `before`, the live content, and `after`, the content that was asked for: `POST /v1/content/preview` draws both. The content of a request never changes. The requests of a signature are deleted with it.',
    answers: { 200: dataOf(PublicationRequest) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findRequest(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'publicationRequests.approve',
    method: 'POST',
    path: '/v1/publication_requests/{id}/approve',
    ...decides,
    summary: 'Approve a request: its content goes live',
    description:
      'Publishes exactly the content of the request, as `POST …/publish` does, and mails the member who asked. Owners and admins can approve, except the member who asked (403 `own_request`). If the draft has changed since, nothing is published (409 `stale_resource`). A request that is not pending any more is refused with 409 `already_decided`.',
    body: plainBody(PublishInput),
    errors: [
      'own_request',
      'already_decided',
      'stale_resource',
      'nothing_to_show',
      'blank',
      'variants_unavailable',
      'variant_not_created',
    ],
    answers: { 200: dataOf(PublicationRequest) },
    handle: async ({ db, by, params, body }) => ok(await approveRequest(db, by, params.id, deps, body)),
  }),
  route({
    name: 'publicationRequests.reject',
    method: 'POST',
    path: '/v1/publication_requests/{id}/reject',
    ...decides,
    summary: 'Reject a request: nothing is published',
    description:
      'Rejects the request and mails the member who asked, with the `reason`. The draft stays as it is; publishing it again makes a new request. Owners and admins can reject, except the member who asked (403 `own_request`). A request that is not pending any more is refused with 409 `already_decided`.',
    body: plainBody(RejectionInput),
    errors: ['own_request', 'already_decided'],
    answers: { 200: dataOf(PublicationRequest) },
    handle: async ({ db, by, params, body }) =>
      ok(await rejectRequest(db, by, params.id, body.reason ?? null, deps)),
  }),
]
