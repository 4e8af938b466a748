// JSON Schemas of routes as schemas of tools: shorter, and in the forms that every client of the protocol understands.
import { isRecord, type JsonRecord, type ToolRoute } from './api.ts'
import { maxRows, rowsPerPage } from './bounds.ts'

export interface ArgumentsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonRecord>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

/** Keywords that the API checks by itself, or that clients understand differently. An agent does not need them. */
const dropped = new Set([
  'title',
  'examples',
  'pattern',
  'minLength',
  'minProperties',
  'contentEncoding',
  'uniqueItems',
])
const formats = new Set(['uuid', 'date-time', 'uri'])

/** `type: [x, "null"]` becomes `anyOf`; a schema that says nothing, and a tree of blocks, become an open object. */
export function portable(schema: unknown): JsonRecord {
  if (!isRecord(schema) || schema.title === 'Content') return { type: 'object' }
  const { description, type, enum: values, ...rest } = withoutDropped(schema)
  const about = description === undefined ? {} : { description }
  if (Array.isArray(type)) {
    const allowed = Array.isArray(values) ? { enum: values.filter(value => value !== null) } : {}
    const inner = { type: type.find(name => name !== 'null'), ...allowed, ...rest }
    return { anyOf: [inner, { type: 'null' }], ...about }
  }
  if (type === undefined && values === undefined && Object.keys(rest).length === 0)
    return { type: 'object', ...about }
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...rest,
    ...about,
  }
}

function withoutDropped(schema: JsonRecord): JsonRecord {
  const entries = Object.entries(schema).filter(
    ([key, value]) => !dropped.has(key) && !(key === 'format' && !formats.has(String(value))),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, inner(key, value)]))
}

function inner(key: string, value: unknown): unknown {
  if (key === 'items') return portable(value)
  if (key === 'anyOf' && Array.isArray(value)) return value.map(portable)
  if (key !== 'properties' || !isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, portable(schema)]))
}

const propertiesOf = (schema: unknown): JsonRecord =>
  isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
const requiredOf = (schema: unknown): readonly string[] =>
  isRecord(schema) && Array.isArray(schema.required) ? schema.required.map(String) : []
const hasDefault = (schema: unknown): boolean => isRecord(schema) && schema.default !== undefined

/** The parameters in the path of a route. */
export const pathParametersOf = ({ path }: ToolRoute): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

export const queryPropertiesOf = ({ query }: ToolRoute): JsonRecord => propertiesOf(query)

export const schemaOf = (
  properties: Readonly<Record<string, JsonRecord>>,
  required: readonly string[] = [],
): ArgumentsSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required: [...required] }),
  additionalProperties: false,
})

export interface ArgumentOptions {
  /** Other names for parameters of the path: `{ id: 'signature_id' }`. */
  readonly names?: Readonly<Record<string, string>>
  /** Parameters of the route that the tool does not have. */
  readonly without?: readonly string[]
  /** Parameters of the path, under their new names, without which the tool works too. */
  readonly optional?: readonly string[]
  /** Descriptions in the place of those of the route. */
  readonly about?: Readonly<Record<string, string>>
}

/** An agent pays for each row, so its pages are shorter than those of the API. */
const limitArgument = { type: 'integer', minimum: 1, maximum: maxRows, default: rowsPerPage }

/** The arguments of a route in one flat object: those of its path, its query and its body. */
export function argumentsOf(route: ToolRoute, options: ArgumentOptions = {}): ArgumentsSchema {
  const { names = {}, without = [], optional = [], about = {} } = options
  const left = new Set(['updated_since', ...without])
  const inPath = pathParametersOf(route).map(name => [names[name] ?? name, { type: 'string' }] as const)
  const query = propertiesOf(route.query)
  const sent = [...Object.entries(query), ...Object.entries(propertiesOf(route.body?.schema))]
  const others = sent.filter(([name]) => !left.has(name))
  const all = [
    ...inPath,
    ...others.map(([name, schema]) => [name, name === 'limit' ? limitArgument : portable(schema)] as const),
  ]
  const properties = Object.fromEntries(all)
  if (Object.keys(properties).length !== all.length)
    throw new Error(`${route.name}: two arguments of one name`)
  const described = Object.entries(properties).map(([name, schema]): [string, JsonRecord] => [
    name,
    about[name] === undefined ? schema : { ...schema, description: about[name] },
  ])
  const required = [
    ...inPath.map(([name]) => name).filter(name => !optional.includes(name)),
    ...requiredOf(route.query).filter(name => !left.has(name) && !hasDefault(query[name])),
    ...requiredOf(route.body?.schema).filter(name => !left.has(name)),
  ]
  return schemaOf(Object.fromEntries(described), required)
}
