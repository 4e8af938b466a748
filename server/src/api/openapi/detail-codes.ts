// The problems that a request can have because of its schemas, as `kernel/api/validation.ts` names them.
import type { Problem } from '@signoff/render'
import { jsonLimits } from '#kernel/api/json-shape.ts'
import type { Route } from '#kernel/api/routes.ts'
import { isNumeric, visiblePattern } from '#kernel/api/validation.ts'
import { type Detail, type DetailCode, detail } from '#kernel/base/errors.ts'
import { isJson, type Json } from './json.ts'

const range = (): DetailCode[] => ['out_of_range']
const count = (): DetailCode[] => ['too_many']

/** By keyword of JSON Schema; other keywords that refuse a value make it `invalid`. */
const codesOfKeyword: Readonly<Record<string, (value: unknown) => readonly DetailCode[]>> = {
  // JSON can write numbers that JavaScript reads as infinite.
  type: value => (isNumeric(value) ? ['invalid_type', 'out_of_range'] : ['invalid_type']),
  enum: () => ['not_allowed'],
  const: () => ['not_allowed'],
  additionalProperties: value => (value === false ? ['unknown_property'] : []),
  maxLength: () => ['too_long'],
  minLength: value => (value === 1 ? ['blank'] : ['blank', 'too_short']),
  pattern: value => (value === visiblePattern ? ['blank'] : ['invalid']),
  minimum: range,
  maximum: range,
  exclusiveMinimum: range,
  exclusiveMaximum: range,
  maxItems: count,
  maxProperties: count,
  minItems: () => ['too_short'],
  uniqueItems: value => (value === true ? ['duplicate'] : []),
  format: () => ['invalid'],
  minProperties: () => ['invalid'],
  anyOf: () => ['invalid'],
}

/** The renderer checks content, and the workspace knows what it can refer to. */
const contentCodes: Readonly<Record<Problem['code'] | 'unknown_reference', true>> = {
  blank: true,
  missing: true,
  invalid: true,
  invalid_type: true,
  not_allowed: true,
  unknown_property: true,
  duplicate: true,
  too_long: true,
  too_short: true,
  out_of_range: true,
  too_many: true,
  too_deep: true,
  unknown_reference: true,
}

const joined = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/** Properties that must be sent: those with a default need not be. */
function requiredNames({ required, properties }: Json): string[] {
  const hasDefault = (name: string) =>
    isJson(properties) && isJson(properties[name]) && 'default' in properties[name]
  return Array.isArray(required) ? required.filter(name => !hasDefault(name)) : []
}

const ownDetails = (schema: Json, field: string): Detail[] =>
  Object.entries(schema).flatMap(([keyword, value]) =>
    (codesOfKeyword[keyword]?.(value) ?? []).map(code =>
      detail(field, code, code === 'not_allowed' && Array.isArray(value) ? { allowed: value } : {}),
    ),
  )

const innerSchemas = (
  { properties, items, patternProperties, anyOf }: Json,
  field: string,
): [string, unknown][] => [
  ...Object.entries(properties ?? {}).map(([name, inner]): [string, unknown] => [joined(field, name), inner]),
  ...Object.values(patternProperties ?? {}).map((inner): [string, unknown] => [field, inner]),
  ...(Array.isArray(anyOf) ? anyOf : []).map((inner): [string, unknown] => [field, inner]),
  [`${field}[0]`, items],
]

function detailsInside(schema: Json, field: string): Detail[] {
  const missing = requiredNames(schema).map(name =>
    detail(joined(field, name), 'missing', { missing: [name] }),
  )
  const inner = innerSchemas(schema, field).flatMap(([at, part]) => (isJson(part) ? detailsOf(part, at) : []))
  return [...missing, ...inner]
}

function detailsOf(schema: Json, field: string): Detail[] {
  if (schema.title === 'Content')
    return Object.keys(contentCodes).map(code => detail(field, code as DetailCode))
  return [...ownDetails(schema, field), ...detailsInside(schema, field)]
}

function queryDetails({ query }: Route): Detail[] {
  if (!query) return []
  // Any text can hold a character that cannot be stored.
  const unstorable = Object.keys(query.properties).map(name => detail(name, 'invalid'))
  return [...detailsInside(query as unknown as Json, ''), ...unstorable]
}

function bodyDetails({ body, bodyLimit }: Route): Detail[] {
  if (!body) return []
  const name = body.wrapper?.name ?? 'body'
  const schema = body.schema as unknown as Json
  const isLarge = (bodyLimit ?? Number.POSITIVE_INFINITY) > jsonLimits.harmlessBytes
  return [
    ...(body.wrapper?.required ? [detail(name, 'missing', { missing: [name] })] : []),
    ...detailsInside(schema, ''),
    ...ownDetails(schema, name),
    // Any text can hold a character that cannot be stored.
    detail(name, 'invalid'),
    ...(isLarge ? [detail(name, 'too_many')] : []),
  ]
}

/** The problems that follow from the schemas of a route, each with a field that can have it. */
export const schemaDetails = (route: Route): readonly Detail[] => [
  ...queryDetails(route),
  ...bodyDetails(route),
]

/** Without a body the service reads `{}`: the body can be left out where that is accepted. */
export const needsBody = ({ schema, wrapper, problems }: NonNullable<Route['body']>): boolean =>
  wrapper?.required === true ||
  requiredNames(schema as unknown as Json).length > 0 ||
  'minProperties' in schema ||
  (problems?.({}) ?? []).length > 0
