// The filters of teammates, as a request names them.
import { type Static, Type } from 'typebox'
import { fieldResolver, type SmartFieldName, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { momentOf, OneOf, Uuid, updatedSince, uuid } from '#kernel/api/validation.ts'
import { type Detail, detail, validationError } from '#kernel/base/errors.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { teammateSources } from '../schemas.ts'
import type { SignatureFilter, TeammateFilters } from './queries.ts'

const Key = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))

export const teammateFilterQuery = {
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of an address or of any value.' })),
  source: Type.Optional(OneOf(teammateSources)),
  active: Type.Optional(Type.Boolean({ description: 'Only active people, or only inactive ones.' })),
  smart_field_id: Type.Optional(Uuid({ description: 'Together with smart_field_value.' })),
  smart_field: Key('The key of a field, such as `department`, instead of `smart_field_id`.'),
  smart_field_value: Type.Optional(
    Type.String({ maxLength: 5_000, description: 'Compared trimmed and without case.' }),
  ),
  missing_smart_field_id: Type.Optional(
    Uuid({
      description:
        'Only active people without a value for this field; with `active=false` only inactive ones.',
    }),
  ),
  missing_smart_field: Key('The key of a field, instead of `missing_smart_field_id`.'),
  signature_id: Type.Optional(
    Type.String({
      pattern: `^(none|${uuid.source.slice(1, -1).replaceAll('a-f', 'a-fA-F')})$`,
      description:
        'Only people of whom an address gets this signature on new mail; `none`: people without any signature.',
    }),
  ),
  ...updatedSince,
}

const Query = Type.Object(teammateFilterQuery)
type Query = Static<typeof Query>

/** A value needs a field, and a field a value. */
function pairProblems({ smart_field_id, smart_field, smart_field_value }: Query): Detail[] {
  const hasField = smart_field_id !== undefined || smart_field !== undefined
  if (hasField === (smart_field_value !== undefined)) return []
  const absent = hasField ? 'smart_field_value' : 'smart_field_id'
  return [detail(absent, 'missing', { missing: [absent] })]
}

/** Finds people for the filter `signature_id`: see `peopleWithSignature` of the recipients. */
export type PeopleWithSignature = (
  db: Db,
  workspaceId: string,
  signatureId: string | null,
) => Promise<Sql | undefined>

async function signatureOf(
  db: Db,
  workspaceId: string,
  sent: string | undefined,
  find: PeopleWithSignature,
): Promise<SignatureFilter | undefined> {
  if (sent === undefined) return undefined
  const isExcluded = sent === 'none'
  return { people: await find(db, workspaceId, isExcluded ? null : sent.toLowerCase()), isExcluded }
}

type Resolve = (name: SmartFieldName, prefix: string) => string | undefined

/** The id of a field; an unknown id finds no teammate, an unknown key is a problem. */
async function resolverFor(db: Db, workspaceId: string, query: Query, problems: Detail[]): Promise<Resolve> {
  const isByKey = query.smart_field !== undefined || query.missing_smart_field !== undefined
  const find = fieldResolver(isByKey ? await smartFieldsOf(db, workspaceId) : [])
  return (name, prefix) => {
    if (name.smart_field === undefined) return name.smart_field_id
    const resolved = find(name, '')
    if ('field' in resolved) return resolved.field.id
    const { field, code, message } = resolved.problem
    problems.push(detail(`${prefix}${field}`, code, { message: `${prefix}${message}` }))
    return undefined
  }
}

const nameOf = (id: string | undefined, key: string | undefined): SmartFieldName => ({
  ...(id !== undefined && { smart_field_id: id }),
  ...(key !== undefined && { smart_field: key }),
})

export async function teammateFiltersOf(
  db: Db,
  workspaceId: string,
  query: Query,
  peopleWithSignature: PeopleWithSignature,
): Promise<TeammateFilters> {
  const problems = pairProblems(query)
  const idOf = await resolverFor(db, workspaceId, query, problems)
  const fieldId = idOf(nameOf(query.smart_field_id, query.smart_field), '')
  const missingFieldId = idOf(nameOf(query.missing_smart_field_id, query.missing_smart_field), 'missing_')
  if (problems.length > 0) throw validationError(problems)
  return {
    search: query.search?.trim() ?? '',
    source: query.source,
    // As `GET /v1/smart_fields/usage` counts them: a missing value of an inactive person is shown nowhere.
    active: query.active ?? (missingFieldId === undefined ? undefined : true),
    value: fieldId === undefined ? undefined : { fieldId, text: query.smart_field_value ?? '' },
    missingFieldId,
    signature: await signatureOf(db, workspaceId, query.signature_id, peopleWithSignature),
    since: momentOf(query.updated_since),
  }
}
