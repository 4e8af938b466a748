import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
  dataOf,
  list,
  noContent,
  ok,
  okWith,
  plainBody,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Teammate } from '../schemas.ts'
import { approveChange, type DecisionDeps, rejectChange, visibleTo, withdraw } from './decisions.ts'
import { findChange, listChanges, type ProfileChangeView } from './queries.ts'
import { ProfileChange, ProfileChangeRejection, profileChangeStatuses } from './schemas.ts'

/** A teammate, with the values of the request that wait for an approval beside it. */
export const answerWith = (teammate: Teammate, pending: readonly ProfileChangeView[]): Answer =>
  pending.length === 0 ? ok(teammate) : okWith(teammate, { pending_changes: pending })

const readRoutes = ({ publicUrl }: DecisionDeps): readonly Route[] => [
  route({
    name: 'profileChanges.list',
    method: 'GET',
    path: '/v1/profile_changes',
    access: 'teammates:read',
    own: true,
    summary: 'List changes that people asked for',
    description:
      'Changes of smart fields with `approval: required` that people have made of their own values, on their personal page or as members, newest first. `status=pending` lists those that wait for a decision. Members see the changes of their own teammate only.',
    query: Type.Object({
      ...pageQuery,
      status: Type.Optional(OneOf(profileChangeStatuses)),
      teammate_id: Type.Optional(Uuid({ description: 'Only changes of this teammate.' })),
    }),
    answers: { 200: pageOf(ProfileChange) },
    async handle({ db, by, query }) {
      const filters = { status: query.status, teammateId: query.teammate_id, ...visibleTo(by) }
      return list(await listChanges(db, { workspaceId: by.workspaceId, publicUrl }, query, filters))
    },
  }),
  route({
    name: 'profileChanges.get',
    method: 'GET',
    path: '/v1/profile_changes/{id}',
    access: 'teammates:read',
    own: true,
    summary: 'Read a change that a person asked for',
    description:
      'One change with the person, the field, the value at the time of the request, the value that the person asked for, and the decision. `changed_meanwhile` is true when the value was changed in another way since. For members, changes of other people do not exist (404).',
    answers: { 200: dataOf(ProfileChange) },
    async handle({ db, by, params }) {
      const scope = { workspaceId: by.workspaceId, publicUrl }
      return ok(orNotFound(await findChange(db, scope, params.id, visibleTo(by))))
    },
  }),
]

export const profileChangeRoutes = (deps: DecisionDeps): readonly Route[] => [
  ...readRoutes(deps),
  route({
    name: 'profileChanges.approve',
    method: 'POST',
    path: '/v1/profile_changes/{id}/approve',
    access: 'teammates:write',
    summary: 'Approve a change that a person asked for',
    description:
      'Writes the value that the person asked for, also when the value was changed in another way since; signatures with it are delivered again, and the person gets a mail. Of several decisions at once the first one counts; the others are answered 409 `already_decided`. A change whose person or field was deleted is gone (404). Managers, admins and the owner can approve.',
    errors: ['already_decided', 'directory_managed', 'invalid'],
    answers: { 200: dataOf(ProfileChange) },
    handle: async ({ db, by, params }) => ok(await approveChange(db, by, params.id, deps)),
  }),
  route({
    name: 'profileChanges.reject',
    method: 'POST',
    path: '/v1/profile_changes/{id}/reject',
    access: 'teammates:write',
    summary: 'Reject a change that a person asked for',
    description:
      'The value stays as it is. The person gets a mail with the reason, and reads it on the personal page. Of several decisions at once the first one counts; the others are answered 409 `already_decided`. Managers, admins and the owner can reject.',
    body: plainBody(ProfileChangeRejection),
    errors: ['already_decided'],
    answers: { 200: dataOf(ProfileChange) },
    handle: async ({ db, by, params, body }) =>
      ok(await rejectChange(db, by, params.id, body?.reason ?? null, deps)),
  }),
  route({
    name: 'profileChanges.withdraw',
    method: 'DELETE',
    path: '/v1/profile_changes/{id}',
    access: 'teammates:write',
    own: true,
    summary: 'Withdraw a change that waits for a decision',
    description:
      'Deletes a pending change; the value stays as it is. Members withdraw their own changes, managers any. A change that was decided stays in the list: 409 `already_decided`.',
    errors: ['already_decided'],
    answers: { 204: null },
    handle: ({ db, by, params }) => withdraw(db, by, params.id, deps).then(noContent),
  }),
]
