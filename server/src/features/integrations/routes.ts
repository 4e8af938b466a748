import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import { dataOf, list, ok, type Route, route } from '#kernel/routes.ts'
import { Uuid } from '#kernel/validation.ts'
import { findEntity, findIntegration, listEntities, listIntegrations } from './queries.ts'
import { Integration, IntegrationEntity } from './schemas.ts'

export const integrationRoutes: readonly Route[] = [
  route({
    name: 'integrations.list',
    method: 'GET',
    path: '/v1/integrations',
    access: 'integrations:read',
    summary: 'List active integrations',
    description:
      'The systems that this workspace is connected to, with their state. `error_message` explains in words for people what must be done.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(Integration) },
    handle: async ({ db, by, query }) => list(await listIntegrations(db, by.workspaceId, query)),
  }),
  route({
    name: 'integrations.get',
    method: 'GET',
    path: '/v1/integrations/{id}',
    access: 'integrations:read',
    summary: 'Read an integration',
    description:
      'One connected system with its kind and its state. When `status` is `error`, `error_message` says in words for people what must be done, and `error_since` since when. Its secrets are never returned.',
    answers: { 200: dataOf(Integration) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findIntegration(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'integrationEntities.list',
    method: 'GET',
    path: '/v1/integration_entities',
    access: 'integrations:read',
    alsoAdmits: 'manager',
    summary: 'List org units and groups of the connected integrations',
    description:
      'Org units and groups of connected directories, with their number of people. `POST /v1/signatures/{id}/integration_entities` takes their ids to give them a signature. `integration_id` narrows the list to one directory. Managers, who give signatures to groups, read them too.',
    query: Type.Object({
      ...pageQuery,
      integration_id: Type.Optional(Uuid({ description: 'Only those of this integration.' })),
    }),
    answers: { 200: pageOf(IntegrationEntity) },
    handle: async ({ db, by, query }) =>
      list(await listEntities(db, by.workspaceId, query, query.integration_id)),
  }),
  route({
    name: 'integrationEntities.get',
    method: 'GET',
    path: '/v1/integration_entities/{id}',
    access: 'integrations:read',
    alsoAdmits: 'manager',
    summary: 'Read an org unit or group',
    description:
      'One org unit or group of a connected directory, with its number of people. The directory owns it: its name and its members change with the next sync, not through this API.',
    answers: { 200: dataOf(IntegrationEntity) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findEntity(db, by.workspaceId, params.id))),
  }),
]
