import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  created,
  dataOf,
  list,
  noContent,
  ok,
  plainBody,
  type Route,
  route,
  wrappedBody,
} from '#kernel/api/routes.ts'
import { seesOwnOnly } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { activationRoutes } from './activation/routes.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { importTeammates } from './import.ts'
import { listTeammates } from './listing/queries.ts'
import { teammateOrderOf, teammateSortQuery } from './listing/sorting.ts'
import { isHiddenFrom } from './own-changes.ts'
import { pictureRoutes } from './pictures/routes.ts'
import type { DecisionDeps } from './profile-changes/decisions.ts'
import { answerWith, profileChangeRoutes } from './profile-changes/routes.ts'
import { pendingChanges } from './profile-changes/schemas.ts'
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
import { teammateFilterQuery, teammateFiltersOf } from './selection/filters.ts'

/** Errors of an address and of values for smart fields. */
const writeErrors = [
  'directory_managed',
  'taken',
  'duplicate',
  'unknown_reference',
  'missing',
  'blank',
  'out_of_range',
] as const

const readRoutes = ({ publicUrl, peopleWithSignature }: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.list',
    method: 'GET',
    path: '/v1/teammates',
    access: 'teammates:read',
    own: true,
    summary: 'List teammates',
    description:
      'The people whose signatures are deployed, newest first, with their addresses and all their smart-field values. `search` finds a part of an address or of any value; `missing_smart_field_id` finds the people who still lack a value, for example before a signature that uses it is published, and `signature_id` those who get a signature (`none`: no signature at all). `sort` orders by name, address, time or any field. To read all of them, raise `page` until `has_more` is false. Members of a workspace with `member_access: own` see themselves only.',
    query: Type.Object({ ...pageQuery, ...teammateFilterQuery, ...teammateSortQuery }),
    errors: ['missing', 'unknown_reference'],
    answers: { 200: pageOf(Teammate) },
    async handle({ db, by, query }) {
      const filters = await teammateFiltersOf(db, by.workspaceId, query, peopleWithSignature)
      const order = await teammateOrderOf(db, by.workspaceId, query.sort)
      const scope = { workspaceId: by.workspaceId, publicUrl }
      const visible = seesOwnOnly(by) ? { ...filters, ownerEmail: by.memberEmail ?? '' } : filters
      return list(await listTeammates(db, scope, query, visible, order))
    },
  }),
  route({
    name: 'teammates.get',
    method: 'GET',
    path: '/v1/teammates/{id}',
    access: 'teammates:read',
    own: true,
    summary: 'Read a teammate',
    description:
      'One person with all addresses and one entry for each smart field of the workspace. A field without a value is listed with `value: null`, so a form can be built from the answer alone.',
    answers: { 200: dataOf(Teammate) },
    async handle({ db, by, params }) {
      const teammate = orNotFound(await findTeammate(db, by.workspaceId, publicUrl, params.id))
      return ok(orNotFound(isHiddenFrom(by, teammate) ? undefined : teammate))
    },
  }),
]

const creationRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.create',
    method: 'POST',
    path: '/v1/teammates',
    access: 'teammates:write',
    summary: 'Create a teammate',
    description:
      'The address becomes the primary one and must not belong to another teammate. Smart fields are named by id or by key. The value of an image field is the id of an asset or a public https address, which is fetched before the answer (at most five per request, ten seconds each). While a directory drives the teammates, only its sync creates them: 409 `directory_managed`. Without a free seat the answer is 403 `plan_upgrade_required`.',
    body: wrappedBody('teammate', TeammateInput),
    errors: [...writeErrors, 'plan_upgrade_required'],
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
      'Each row is validated by itself: bad rows are listed in `failed`, all others are written together. A row whose address is known updates that teammate; fields that it does not name stay as they are. Rows of new people for whom no seat is left are listed in `failed` too. Pictures that rows name by https addresses are fetched in the background, and `GET /v1/teammates/picture_fetches` lists those that are missing. Values without effect are named in `ignored`, with the row in `field`.',
    body: plainBody(TeammateImport),
    answers: { 200: dataOf(ImportResult) },
    async handle({ db, by, body }) {
      const { ignored, ...data } = await importTeammates(db, by, body.teammates, deps)
      return { ...ok(data), ignored }
    },
  }),
]

const changeRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.update',
    method: 'PATCH',
    path: '/v1/teammates/{id}',
    access: 'teammates:write',
    own: true,
    summary: 'Change a teammate',
    description:
      'Changes the primary address and the given smart-field values; null clears a value, and fields that are not named stay as they are. Signatures that show the values are delivered again. Values of fields that a directory syncs have no effect, and the answer names them in `ignored`. Members change the values of their own teammate whose fields are `editable_by_owner`; any other field is answered 403 `insufficient_role` with the field in `details`, and nothing is written. Their values of fields with `approval: required` are not written: the answer names them in `pending_changes`, and a manager decides.',
    body: wrappedBody('teammate', TeammatePatch),
    errors: [...writeErrors, 'not_editable'],
    answers: { 200: dataOf(Teammate, pendingChanges) },
    prepare: ({ db, by, params, body, reserve }) =>
      prepareValues(db, by, body.smart_fields, { ...deps, reserve }, () =>
        assertOwnChange(db, by, params.id, deps.publicUrl, body),
      ),
    async handle({ db, by, params, body, prepared }) {
      const changes = { ...body, fetched: prepared }
      const { teammate, ignored, pending } = await changeTeammate(db, by, params.id, changes, deps)
      return { ...answerWith(teammate, pending), ignored }
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
    handle: ({ db, by, params }) => removeTeammate(db, by, params.id, deps).then(noContent),
  }),
]

export const teammateRoutes = (deps: TeammateDeps & DecisionDeps): readonly Route[] => [
  ...readRoutes(deps),
  ...creationRoutes(deps),
  ...changeRoutes(deps),
  ...pictureRoutes(deps),
  ...profileChangeRoutes(deps),
  ...bulkRoutes(deps),
  ...activationRoutes(deps),
]
