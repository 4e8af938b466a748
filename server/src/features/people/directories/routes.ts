import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { accepted, dataOf, list, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { NullableUuid, OneOf, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { attributesOf } from './mapping/attributes.ts'
import { findRun, listRuns } from './runs/queries.ts'
import {
  approveHeldRun,
  directoryFor,
  refuseLostAccess,
  requestSync,
  type SyncRuleDeps,
} from './runs/rules.ts'
import { runStatuses, SyncRequest, SyncRun, SyncRunSummary } from './runs/schemas.ts'

const IntegrationAttribute = NamedObject('IntegrationAttribute', {
  attribute: Type.String({ description: 'The value of `integration_attribute` of a smart field.' }),
  label: Type.String(),
  people_count: Type.Integer({ description: 'Of the first 1,000 people, how many have a value.' }),
  examples: Type.Array(Type.String(), { description: 'The three most frequent values.' }),
  smart_field_ids: Type.Array(Uuid(), { description: 'The smart fields that are mapped to it.' }),
  suggested_smart_field_id: Type.Unsafe<string | null>({
    ...NullableUuid(),
    description: 'A built-in smart field that fits and is not mapped yet.',
  }),
})

export const directoryRoutes = (deps: SyncRuleDeps): readonly Route[] => [
  route({
    name: 'integrations.attributes',
    method: 'GET',
    path: '/v1/integrations/{id}/attributes',
    access: 'integrations:read',
    summary: 'List what a directory knows about people',
    description:
      'The attributes that smart fields can be mapped to: those that the kind of directory offers, and those that its people have, with examples from the first 1,000 people. Map one with `integration_id` and `integration_attribute` of a smart field. Before the first run there are no examples; a dry run stores none.',
    answers: { 200: dataOf(Type.Array(IntegrationAttribute)) },
    handle: async ({ db, by, params }) =>
      ok(await attributesOf(db, by.workspaceId, params.id, deps.directories)),
  }),
  route({
    name: 'teammates.sync',
    method: 'POST',
    path: '/v1/teammates/sync',
    access: 'integrations:write',
    summary: 'Read a directory now',
    description:
      'Begins a run that reads the people and groups of a directory, and answers at once with the run: `GET /v1/sync_runs/{id}` shows how it went. With `dry_run` nothing is written, and the counts say what would change. 409 `sync_already_running` while a run of this directory is running, `no_integration_to_sync` without a directory, and `integration_access_lost` while the directory refuses access.',
    body: plainBody(SyncRequest),
    errors: [
      'sync_already_running',
      'no_integration_to_sync',
      'integration_access_lost',
      'unknown_reference',
      'invalid',
    ],
    answers: { 202: dataOf(SyncRun) },
    async prepare({ db, by, body }) {
      const state = await directoryFor(db, by, body.integration_id, deps)
      await refuseLostAccess(db, by, state, deps)
    },
    handle: async ({ db, by, body }) => accepted(await requestSync(db, by, body, deps)),
  }),
  route({
    name: 'syncRuns.list',
    method: 'GET',
    path: '/v1/sync_runs',
    access: 'integrations:read',
    summary: 'List runs of directories',
    description:
      'The runs that read directories, the newest first, with what each of them changed. Scheduled runs that changed nothing are kept for a day, the others for 90 days. `integration_id` and `status` narrow the list.',
    query: Type.Object({
      ...pageQuery,
      integration_id: Type.Optional(Uuid({ description: 'Only those of this integration.' })),
      status: Type.Optional(OneOf(runStatuses)),
    }),
    answers: { 200: pageOf(SyncRunSummary) },
    async handle({ db, by, query }) {
      const { integration_id, status } = query
      const filters = {
        ...(integration_id !== undefined && { integrationId: integration_id }),
        ...(status !== undefined && { status }),
      }
      return list(await listRuns(db, by.workspaceId, query, filters))
    },
  }),
  route({
    name: 'syncRuns.get',
    method: 'GET',
    path: '/v1/sync_runs/{id}',
    access: 'integrations:read',
    summary: 'Read a run of a directory',
    description:
      'One run with its counts and its problems: people whose address another person has (`conflict`), values that do not fit their smart field (`unusable`), people for whom no seat is left (`no_seat`), and people who would leave (`held`). None of them makes a run fail.',
    answers: { 200: dataOf(SyncRun) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findRun(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'syncRuns.approve',
    method: 'POST',
    path: '/v1/sync_runs/{id}/approve',
    access: 'integrations:write',
    summary: 'Let the leavers of a held run go',
    description:
      'A run is held when more than 10 people and more than 10 % would leave, when the directory answers without people, or when a group in use would lose more than half of its people. An approval lets exactly the people of its list leave, in the background; people who are in the directory again stay. 409 `already_decided` when the run does not wait for an approval, for example because a later run found another list.',
    errors: ['already_decided'],
    answers: { 200: dataOf(SyncRun) },
    handle: async ({ db, by, params }) => ok(await approveHeldRun(db, by, params.id)),
  }),
]
