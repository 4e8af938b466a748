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
  route({
    name: 'teammates.list',
    method: 'GET',
    path: '/v1/teammates',
    access: 'teammates:read',
    summary: 'List teammates',
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
    body: plainBody(TeammateImport),
    answers: { 200: dataOf(ImportResult) },
    async handle({ db, by, body }) {
      const { ignored, ...data } = await importTeammates(db, by, body.teammates, deps)
      return { ...jsonText(JSON.stringify({ data })), ignored }
    },
  }),
  route({
    name: 'teammates.get',
    method: 'GET',
    path: '/v1/teammates/{id}',
    access: 'teammates:read',
    summary: 'Read a teammate',
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
    errors: ['directory_managed'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      await removeTeammate(db, by, params.id, deps)
      return noContent()
    },
  }),
  ...pictureRoutes(deps),
]
