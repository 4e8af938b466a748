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
import { orNotFound } from '#kernel/base/errors.ts'
import { fieldSorts, findField, listFields, type SmartField as Row } from './queries.ts'
import { changeField, createField, removeField, type SmartFieldDeps } from './rules.ts'
import { SmartField, SmartFieldInput, SmartFieldPatch } from './schemas.ts'
import { smartFieldUsageRoutes } from './usage/routes.ts'

const withoutComputed = ({ computed: _, ...field }: Row) => field

/** Mapping a field needs `integrations:read` besides the scope of the route. */
const mappingErrors = ['unknown_reference', 'invalid', 'missing', 'insufficient_role'] as const

export const smartFieldRoutes = (deps: SmartFieldDeps): readonly Route[] => [
  ...smartFieldUsageRoutes,
  route({
    name: 'smartFields.list',
    method: 'GET',
    path: '/v1/smart_fields',
    access: 'smart_fields:read',
    own: true,
    summary: 'List smart fields',
    description:
      'The values that signatures are filled with: built-in fields such as first name and job title, and your own. `key` is a stable name for programs; `fallback` is shown for people without a value.',
    query: Type.Object({ ...pageQuery, ...sortQuery(fieldSorts) }),
    answers: { 200: pageOf(SmartField) },
    handle: async ({ db, by, query }) => list(await listFields(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'smartFields.create',
    method: 'POST',
    path: '/v1/smart_fields',
    access: 'smart_fields:write',
    summary: 'Create a smart field',
    description:
      'Adds a field. `kind` decides which values are accepted and how they link: `phone` values become `tel:` links, `email` values `mailto:` links, `url` values get `https://` when it is missing, and `image` fields hold pictures. With `integration_id` and `integration_attribute` a directory fills it; that needs `integrations:read` too.',
    body: maybeWrappedBody('smart_field', SmartFieldInput),
    errors: ['taken', ...mappingErrors],
    answers: { 201: dataOf(SmartField) },
    async handle({ db, by, body }) {
      const field = await createField(db, by, body, deps)
      return created(withoutComputed(field), `/v1/smart_fields/${field.id}`)
    },
  }),
  route({
    name: 'smartFields.get',
    method: 'GET',
    path: '/v1/smart_fields/{id}',
    access: 'smart_fields:read',
    own: true,
    summary: 'Read a smart field',
    description:
      'One smart field: its label, its key, its kind and its fallback. `default` marks the built-in fields, which cannot be deleted, and `integration_id` the fields that a directory fills. `editable_by_owner` and `approval` say whether people change the value themselves.',
    answers: { 200: dataOf(SmartField) },
    handle: async ({ db, by, params }) =>
      ok(withoutComputed(orNotFound(await findField(db, by.workspaceId, params.id)))),
  }),
  route({
    name: 'smartFields.update',
    method: 'PATCH',
    path: '/v1/smart_fields/{id}',
    access: 'smart_fields:write',
    summary: 'Change a smart field',
    description:
      'Changes the label, the fallback or other settings of a field. A new fallback is installed in every signature that shows it. The kind can change only while no value would become invalid. With `editable_by_owner` people change the value themselves; with `approval: required` a manager decides on each change. Changes that wait already still need the decision when `approval` becomes `none`. With another `integration_id` or `integration_attribute` the values are filled again at once, from what the directory has said already; null leaves them as they are, to be written by hand. Mapping needs `integrations:read` too.',
    body: maybeWrappedBody('smart_field', SmartFieldPatch),
    errors: ['taken', ...mappingErrors],
    answers: { 200: dataOf(SmartField) },
    handle: async ({ db, by, params, body }) =>
      ok(withoutComputed(await changeField(db, by, params.id, body, deps))),
  }),
  route({
    name: 'smartFields.delete',
    method: 'DELETE',
    path: '/v1/smart_fields/{id}',
    access: 'smart_fields:delete',
    summary: 'Delete a smart field with its values',
    description:
      'Deletes a field with its values. A field that a signature, rule or campaign uses is refused with 409 `smart_field_in_use`, which names where. Built-in fields cannot be deleted.',
    errors: ['smart_field_in_use', 'invalid'],
    answers: { 204: null },
    handle: ({ db, by, params }) => removeField(db, by, params.id).then(noContent),
  }),
]
