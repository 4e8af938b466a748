import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { pageOf, pageQuery } from '#kernel/pagination.ts'
import {
  created,
  dataOf,
  jsonText,
  list,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
  wrappedBody,
} from '#kernel/routes.ts'
import { importTeammates } from './import.ts'
import { teammateFilterQuery, teammateFiltersOf } from './listing/filters.ts'
import { listTeammates } from './listing/queries.ts'
import { pictureRoutes } from './pictures/routes.ts'
import { findTeammate } from './queries.ts'
import {
  assertOwnChange,
  changeTeammate,
  createTeammate,
  prepareValues,
  removeTeammate,
  type TeammateDeps,
} from './rules.ts'
import { ImportResult, Teammate, TeammateImport, TeammateInput, TeammatePatch } from './schemas.ts'

export const teammateRoutes = (deps: TeammateDeps): readonly Route[] => [
  ...listRoutes(deps),
  ...singleRoutes(deps),
  ...pictureRoutes(deps),
]

const listRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.list',
    method: 'GET',
    path: '/v1/teammates',
    access: 'teammates:read',
    summary: 'List teammates',
    description:
      'The people whose signatures are deployed, newest first, with their addresses and all their smart-field values. `search` finds a part of an address or of any value; `missing_smart_field_id` finds the people who still lack a value, for example before a signature that uses it is published. To read all of them, raise `page` until `has_more` is false.',
    query: Type.Object({ ...pageQuery, ...teammateFilterQuery }),
    answers: { 200: pageOf(Teammate) },
    async handle({ db, by, query }) {
      const filters = await teammateFiltersOf(db, by.workspaceId, query)
      const scope = { workspaceId: by.workspaceId, publicUrl: deps.publicUrl }
      return list(await listTeammates(db, scope, query, filters))
    },
  }),
  route({
    name: 'teammates.create',
    method: 'POST',
    path: '/v1/teammates',
    access: 'teammates:write',
    summary: 'Create a teammate',
    description:
      'Adds a person with a primary address and values for smart fields. Either everything is stored or nothing: one wrong value refuses the whole request and names the field. Signatures that reach the new address by a rule or by `assign_to_all_future_emails` are installed without another call. While a directory drives the list of people, the answer is 409 `directory_managed`.',
    body: wrappedBody('teammate', TeammateInput),
    errors: ['directory_managed'],
    answers: { 201: dataOf(Teammate) },
    prepare: ({ db, by, body, reserve }) => prepareValues(db, by, body.smart_fields, { ...deps, reserve }),
    async handle({ db, by, body, prepared }) {
      const { teammate, ignored } = await createTeammate(db, by, { ...body, fetched: prepared }, deps)
      return { ...created(teammate, `/v1/teammates/${teammate.id}`), ignored }
    },
  }),
  route({
    name: 'teammates.import',
    method: 'POST',
    path: '/v1/teammates/import',
    access: 'teammates:write',
    summary: 'Create or update up to 1,000 teammates by their addresses',
    description:
      'Creates or updates many people in one call. A row is matched by its address; fields that a row does not list keep their values. Each row is handled by itself: a wrong row appears under `failed` with its index and its problems, and the others are stored. Send larger lists in several calls; repeating a call is safe.',
    body: plainBody(TeammateImport),
    answers: { 200: dataOf(ImportResult) },
    async handle({ db, by, body }) {
      const { ignored, ...data } = await importTeammates(db, by, body.teammates, deps)
      return { ...jsonText(JSON.stringify({ data })), ignored }
    },
  }),
]

const singleRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.get',
    method: 'GET',
    path: '/v1/teammates/{id}',
    access: 'teammates:read',
    summary: 'Read a teammate',
    description:
      'One person with all addresses and one entry for each smart field of the workspace. A field without a value is listed with `value: null`, so a form can be built from the answer alone.',
    answers: { 200: dataOf(Teammate) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findTeammate(db, by.workspaceId, deps.publicUrl, params.id))),
  }),
  route({
    name: 'teammates.update',
    method: 'PATCH',
    path: '/v1/teammates/{id}',
    access: 'teammates:write',
    own: true,
    summary: 'Change a teammate',
    description:
      'Changes only what is sent: fields that are not listed keep their values, `value: null` clears one, and `email` changes the primary address. Signatures of this person are rendered again and installed where they changed. A member may change their own values and nothing else. Values of fields that a directory syncs are not written.',
    body: wrappedBody('teammate', TeammatePatch),
    errors: ['directory_managed'],
    answers: { 200: dataOf(Teammate) },
    async prepare({ db, by, params, body, reserve }) {
      if (!body.smart_fields?.length) return new Map()
      await assertOwnChange(db, by, params.id, deps.publicUrl, body)
      return prepareValues(db, by, body.smart_fields, { ...deps, reserve })
    },
    async handle({ db, by, params, body, prepared }) {
      const { teammate, ignored } = await changeTeammate(
        db,
        by,
        params.id,
        { ...body, fetched: prepared },
        deps,
      )
      return { ...ok(teammate), ignored }
    },
  }),
  route({
    name: 'teammates.delete',
    method: 'DELETE',
    path: '/v1/teammates/{id}',
    access: 'teammates:delete',
    summary: 'Delete a teammate; the addresses may be used again',
    description: `Removes a person and their addresses from deployment. The addresses can be used again at once. Recorded views and clicks keep the person's label. Nothing is removed from the person's mailbox.`,
    errors: ['directory_managed'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await removeTeammate(db, by, params.id, deps)
      return noContent()
    },
  }),
]
