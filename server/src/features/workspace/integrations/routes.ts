import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  type Answer,
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
import { changeIntegration, createIntegration, testIntegration } from './connecting.ts'
import { findEntity, findIntegration, listEntities, listIntegrations } from './queries.ts'
import { disconnectIntegration, type IntegrationDeps } from './rules.ts'
import {
  CreatedIntegration,
  Integration,
  IntegrationEntity,
  IntegrationInput,
  IntegrationPatch,
  IntegrationTest,
  integrationIdFilter,
} from './schemas.ts'

const inputErrors = [
  'invalid',
  'missing',
  'blank',
  'not_allowed',
  'unknown_property',
  'invalid_type',
  'taken',
  'too_long',
  'too_short',
  'out_of_range',
  'too_many',
  'duplicate',
] as const

/** State that the ETag covers: not what runs change by themselves. */
const versionOf = (integration: object): object => {
  const { name, settings, capabilities, kind } = integration as Record<string, unknown>
  return { name, settings, capabilities, kind }
}

const answerOf = (integration: object): Answer => ok(integration, versionOf(integration))

const writeRoutes = (deps: IntegrationDeps): readonly Route[] => [
  route({
    name: 'integrations.create',
    method: 'POST',
    path: '/v1/integrations',
    access: 'integrations:write',
    summary: 'Connect a system',
    description:
      'Connects a directory that people come from, or a channel that signatures are delivered through. `settings` and `secret` depend on `kind`; the documentation has a page about each. Nothing is read yet: test the connection, map smart fields to attributes, and begin the first run with `POST /v1/teammates/sync`. Secrets are stored encrypted, and never returned. For owners and admins.',
    body: maybeWrappedBody('integration', IntegrationInput),
    secret: true,
    errors: inputErrors,
    answers: { 201: dataOf(CreatedIntegration) },
    async handle({ db, by, body }) {
      const { integration, reveals, id } = await createIntegration(db, by, body, deps)
      return created({ ...integration, ...reveals }, `/v1/integrations/${id}`, versionOf(integration))
    },
  }),
  route({
    name: 'integrations.update',
    method: 'PATCH',
    path: '/v1/integrations/{id}',
    access: 'integrations:write',
    summary: 'Change a connected system',
    description:
      'Changes the name, the capabilities, single settings, or the secret. Settings that are not sent stay as they are; null resets one to its default. After another setting or secret, the next run reads the whole directory. For owners and admins.',
    body: maybeWrappedBody('integration', IntegrationPatch),
    errors: inputErrors,
    answers: { 200: dataOf(Integration) },
    handle: async ({ db, by, params, body }) =>
      answerOf(await changeIntegration(db, by, params.id, body, deps)),
  }),
  route({
    name: 'integrations.delete',
    method: 'DELETE',
    path: '/v1/integrations/{id}',
    access: 'integrations:delete',
    summary: 'Disconnect a system',
    description:
      'Disconnects a system and deletes its secret. What it has installed stays, and nothing else is deleted: its people become manual teammates with all their values, and fields that it filled can be written again.',
    answers: { 204: null },
    handle: ({ db, by, params }) => disconnectIntegration(db, by, params.id, deps).then(noContent),
  }),
  route({
    name: 'integrations.test',
    method: 'POST',
    path: '/v1/integrations/{id}/test',
    access: 'integrations:write',
    unaudited: true,
    summary: 'Try every permission of a connected system',
    description:
      'Tries, one step after the other, everything that the integration will need, and changes nothing there. Each step says what the other system answered, and `remedy` what to do when it failed. It takes up to half a minute.',
    answers: { 200: dataOf(IntegrationTest) },
    prepare: ({ db, by, params }) => testIntegration(db, by, params.id, deps),
    handle: async ({ prepared }) => ok({ steps: prepared }),
  }),
]

export const integrationRoutes = (deps: IntegrationDeps): readonly Route[] => [
  ...writeRoutes(deps),
  ...readRoutes,
]

const readRoutes: readonly Route[] = [
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
      answerOf(orNotFound(await findIntegration(db, by.workspaceId, params.id))),
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
      integration_id: integrationIdFilter,
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
