import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { momentOf, Uuid, updatedSince } from '#kernel/api/validation.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { emailSorts, findEmail, listEmails } from './queries.ts'
import { changeEmail, createAlias, deleteEmail, type EmailDeps } from './rules.ts'
import { Email, EmailInput, EmailPatch } from './schemas.ts'

export const emailRoutes = (deps: EmailDeps): readonly Route[] => [
  route({
    name: 'emails.list',
    method: 'GET',
    path: '/v1/emails',
    access: 'emails:read',
    summary: 'List addresses and aliases',
    description:
      'All addresses of the workspace, primary addresses and aliases, newest first. `search` finds a part of an address, `teammate_id` narrows the list to one person, and `updated_since` to what has changed since the last sync.',
    query: Type.Object({
      ...pageQuery,
      teammate_id: Type.Optional(Uuid({ description: 'Only the addresses of this teammate.' })),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of an address.' })),
      ...updatedSince,
      ...sortQuery(emailSorts),
    }),
    answers: { 200: pageOf(Email) },
    async handle({ db, by, query }) {
      const filters = {
        ...query,
        teammateId: query.teammate_id,
        search: query.search?.trim() ?? '',
        since: momentOf(query.updated_since),
      }
      return list(await listEmails(db, by.workspaceId, query, filters))
    },
  }),
  route({
    name: 'emails.create',
    method: 'POST',
    path: '/v1/emails',
    access: 'emails:write',
    summary: 'Give a teammate an alias',
    description:
      'Gives a teammate another address, always as an alias. Each address gets its own signature: rules, priorities and campaigns are judged for it separately. Addresses are compared without case and kept as typed; one that is in use gives 422 `taken`.',
    body: maybeWrappedBody('email', EmailInput),
    errors: ['directory_managed', 'taken', 'unknown_reference'],
    answers: { 201: dataOf(Email) },
    async handle({ db, by, body }) {
      const email = await createAlias(db, by, body, deps)
      return created(email, `/v1/emails/${email.id}`)
    },
  }),
  route({
    name: 'emails.get',
    method: 'GET',
    path: '/v1/emails/{id}',
    access: 'emails:read',
    summary: 'Read an address',
    description:
      'One address: whether it is the primary one, and the id of the teammate it belongs to. `GET /v1/emails/{id}/signature` tells which signature the address gets. An address of another workspace gives 404.',
    answers: { 200: dataOf(Email) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findEmail(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'emails.update',
    method: 'PATCH',
    path: '/v1/emails/{id}',
    access: 'emails:write',
    summary: 'Change an address, or make it the primary one',
    description:
      'Changes the address itself, or makes an alias the primary address with `primary: true`; the former primary address becomes an alias. Signatures that show the address are installed again.',
    body: maybeWrappedBody('email', EmailPatch),
    errors: ['directory_managed', 'taken'],
    answers: { 200: dataOf(Email) },
    handle: async ({ db, by, params, body }) => ok(await changeEmail(db, by, params.id, body, deps)),
  }),
  route({
    name: 'emails.delete',
    method: 'DELETE',
    path: '/v1/emails/{id}',
    access: 'emails:delete',
    summary: 'Delete an alias',
    description:
      'Deletes an alias; it leaves deployment and can be used again. The primary address cannot be deleted (409 `primary_email`): make another one the primary address first, or delete the person.',
    errors: ['directory_managed', 'primary_email'],
    answers: { 204: null },
    handle: ({ db, by, params }) => deleteEmail(db, by, params.id, deps).then(noContent),
  }),
]
