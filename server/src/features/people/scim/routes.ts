// SCIM 2.0 under /scim/v2, for identity providers. Not a part of the API: bodies, answers and errors are those of RFC 7644.

import type { Answer, Route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { type ScimResourceKind, scimResourceRoutes } from './crud/routes.ts'
import type { ScimDeps } from './deps.ts'
import { resourceTypes, schemaUrns, scimSchemas, serviceProviderConfig } from './discovery.ts'
import { findScimGroup, listScimGroups } from './groups/queries.ts'
import {
  createScimGroup,
  deleteScimGroupAndMembers,
  patchScimGroup,
  replaceScimGroup,
  withMembers,
} from './groups/rules.ts'
import { wantsMembers } from './resources.ts'
import { ScimFilterQuery, ScimResource } from './schemas.ts'
import { findScimUser, listScimUsers } from './users/queries.ts'
import { createScimUser, deleteScimUser, patchScimUser, replaceScimUser } from './users/rules.ts'
import { scimAnswer, scimListAnswer, scimRefusal, scimRoute } from './wire/routes.ts'
import { createScimQueue } from './writes.ts'

const users: ScimResourceKind = {
  type: 'User',
  // Bodies with the members of a group can have the usual size.
  bodyLimit: 64 * 1024,
  find: findScimUser,
  list: listScimUsers,
  complete: async (_db, _scope, stored) => stored,
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  answersPatch: () => true,
  remove: deleteScimUser,
}

const groups: ScimResourceKind = {
  type: 'Group',
  find: findScimGroup,
  list: listScimGroups,
  complete: async (db, scope, stored, projection) =>
    wantsMembers(projection) && stored.length > 0 ? withMembers(db, scope, stored) : stored,
  create: createScimGroup,
  replace: replaceScimGroup,
  patch: patchScimGroup,
  // Entra expects 204, and the members of a large group would be a large answer.
  answersPatch: ({ attributes }) => attributes !== undefined,
  remove: deleteScimGroupAndMembers,
}

/** RFC 7644, section 4: a filter gets 403, so that no client believes that it was applied. */
const discoveryRoute = (path: string, summary: string, answer: Answer): Route =>
  scimRoute({
    method: 'GET',
    path,
    summary: `SCIM: ${summary}`,
    query: ScimFilterQuery,
    answers: { 200: ScimResource },
    handle: async ({ query: { filter } }) =>
      filter === undefined ? answer : scimRefusal(403, `${path} cannot be filtered.`),
  })

const discoveryRoutes = ({ publicUrl }: ScimDeps, baseUrl: string): readonly Route[] => [
  discoveryRoute(
    '/ServiceProviderConfig',
    'what the server supports',
    scimAnswer(200, serviceProviderConfig(publicUrl)),
  ),
  ...(
    [
      ['/ResourceTypes', resourceTypes(baseUrl), ['User', 'Group']],
      ['/Schemas', scimSchemas(baseUrl), schemaUrns],
    ] as const
  ).flatMap(([path, resources, ids]) => [
    discoveryRoute(path, path.slice(1), scimListAnswer(resources, resources.length)),
    scimRoute({
      method: 'GET',
      path: `${path}/{id}`,
      words: { id: ids },
      summary: `SCIM: one of ${path.slice(1)}`,
      answers: { 200: ScimResource },
      handle: async ({ id }) => scimAnswer(200, orNotFound(resources.find(resource => resource.id === id))),
    }),
  ]),
]

/** RFC 7644, section 3.11: a key belongs to a provider, and so to none of the users. */
const meRoutes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(method =>
  scimRoute({
    method,
    path: '/Me',
    summary: 'SCIM: not supported',
    ignoresBody: true,
    answers: {},
    handle: async () => scimRefusal(501, '/Me is not supported: send requests to /Users.'),
  }),
)

export function scimRoutes(deps: ScimDeps): readonly Route[] {
  const baseUrl = `${deps.publicUrl}/scim/v2`
  const queue = createScimQueue()
  return [
    ...discoveryRoutes(deps, baseUrl),
    ...meRoutes,
    ...[users, groups].flatMap(kind => scimResourceRoutes(kind, deps, baseUrl, queue)),
  ]
}
