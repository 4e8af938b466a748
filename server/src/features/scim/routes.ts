// SCIM 2.0 under /scim/v2, for identity providers. Not a part of the API: bodies, answers and errors are those of RFC 7644.
import { orNotFound } from '#kernel/errors.ts'
import type { Route } from '#kernel/routes.ts'
import { type ScimResourceKind, scimResourceRoutes } from './crud/routes.ts'
import type { ScimDeps } from './deps.ts'
import { resourceTypes, schemaUrns, scimSchemas, serviceProviderConfig } from './discovery.ts'
import { readScimFilter } from './filters.ts'
import { findScimGroup, listScimGroups } from './groups/queries.ts'
import {
  createScimGroup,
  deleteScimGroupAndMembers,
  patchScimGroup,
  replaceScimGroup,
  withMembers,
} from './groups/rules.ts'
import { wantsMembers } from './resources.ts'
import { ScimList, ScimResource } from './schemas.ts'
import { findScimUser, listScimUsers } from './users/queries.ts'
import { createScimUser, deleteScimUser, patchScimUser, replaceScimUser } from './users/rules.ts'
import { scimAnswer, scimListAnswer, scimRoute } from './wire/routes.ts'
import { createScimQueue } from './writes.ts'

const users: ScimResourceKind = {
  type: 'User',
  // Bodies with the members of a group can have the usual size.
  bodyLimit: 64 * 1024,
  find: findScimUser,
  async list(db, scope, filter, page) {
    const { users, total } = await listScimUsers(db, scope, readScimFilter(filter), page)
    return { resources: users, total }
  },
  complete: async (_db, _scope, stored) => stored,
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  remove: deleteScimUser,
}

const groups: ScimResourceKind = {
  type: 'Group',
  find: findScimGroup,
  async list(db, scope, filter, page) {
    const { groups, total } = await listScimGroups(db, scope, readScimFilter(filter), page)
    return { resources: groups, total }
  },
  complete: async (db, scope, stored, projection) =>
    wantsMembers(projection) && stored.length > 0 ? withMembers(db, scope, stored) : stored,
  create: createScimGroup,
  replace: replaceScimGroup,
  async patch(tx, write, id, body) {
    await patchScimGroup(tx, write, id, body)
    // Entra expects 204, and the members of a large group would be a large answer.
    return null
  },
  remove: deleteScimGroupAndMembers,
}

const discoveryRoutes = ({ publicUrl }: ScimDeps, baseUrl: string): readonly Route[] => [
  scimRoute({
    method: 'GET',
    path: '/ServiceProviderConfig',
    summary: 'SCIM: what the server supports',
    answers: { 200: ScimResource },
    handle: async () => scimAnswer(200, serviceProviderConfig(publicUrl)),
  }),
  ...(
    [
      ['/ResourceTypes', resourceTypes(baseUrl), ['User', 'Group']],
      ['/Schemas', scimSchemas(baseUrl), schemaUrns],
    ] as const
  ).flatMap(([path, resources, ids]) => [
    scimRoute({
      method: 'GET',
      path,
      summary: `SCIM: ${path.slice(1)}`,
      answers: { 200: ScimList },
      handle: async () => scimListAnswer(resources, resources.length),
    }),
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

export function scimRoutes(deps: ScimDeps): readonly Route[] {
  const baseUrl = `${deps.publicUrl}/scim/v2`
  const queue = createScimQueue()
  return [
    ...discoveryRoutes(deps, baseUrl),
    ...[users, groups].flatMap(kind => scimResourceRoutes(kind, deps, baseUrl, queue)),
  ]
}
