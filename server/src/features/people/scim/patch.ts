// Applies PATCH operations to a resource, in all the forms that Entra and Okta send.
import { isObject } from '#kernel/base/json-values.ts'
import { keyIn, objectsIn, type ScimJson, valueIn, withoutKey } from './attributes.ts'
import { ScimError } from './errors.ts'
import type { ScimComparison, ScimFilter } from './filters/parse.ts'
import { readScimPath, type ScimPath } from './paths.ts'

export interface ScimOperation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | null
  readonly value: unknown
}

const mostOperations = 1_000
/** Limit for the entries of a list, except the members of a group, and for the attributes of an object. */
export const mostEntries = 200
const mostProperties = 5_000

export const tooManyAttributes = (): ScimError =>
  new ScimError('tooMany', `A resource can have ${mostEntries} attributes.`)

const propertiesOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0)

/** The operations of a body, with names in any case. */
export function readOperations(body: ScimJson): readonly ScimOperation[] {
  const sent = valueIn(body, 'Operations')
  if (!Array.isArray(sent) || sent.length === 0)
    throw new ScimError('invalidSyntax', 'Operations must be a list with at least one operation.')
  if (sent.length > mostOperations)
    throw new ScimError('tooMany', `A request can hold ${mostOperations} operations.`)
  const operations = sent.map((item, index): ScimOperation => {
    const field = `Operations[${index}]`
    if (!isObject(item)) throw new ScimError('invalidSyntax', `${field} must be an object.`)
    const op = String(valueIn(item, 'op')).toLowerCase()
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw new ScimError('invalidSyntax', `${field}.op must be add, replace or remove.`)
    const path = valueIn(item, 'path') ?? null
    if (path !== null && typeof path !== 'string')
      throw new ScimError('invalidPath', `${field}.path must be a text.`)
    if (path === null && op === 'remove')
      throw new ScimError('noTarget', `${field} removes something, so it needs a path.`)
    return { op, path: path === '' ? null : path, value: valueIn(item, 'value') }
  })
  // Each property of a value can be an operation of its own.
  const properties = operations.reduce((sum, { value }) => sum + propertiesOf(value), 0)
  if (properties > mostProperties)
    throw new ScimError('tooMany', `The values of a request can hold ${mostProperties} properties.`)
  return operations
}

/** An operation without a path has an object: each of its properties is an operation with that path. */
export function withPaths({ op, path, value }: ScimOperation): readonly (ScimOperation & { path: string })[] {
  if (path !== null) return [{ op, path, value }]
  if (!isObject(value))
    throw new ScimError('invalidValue', 'The value of an operation without a path must be an object.')
  return Object.entries(value).map(([key, inner]) => ({ op, path: key, value: inner }))
}

export function applyOperation(
  resource: ScimJson,
  { op, path, value }: ScimOperation & { path: string },
): ScimJson {
  const { urn, ...rest } = readScimPath(path, resource)
  if (rest.attribute === null) return applyToExtension(resource, urn, op, value)
  const target = { ...rest, attribute: rest.attribute }
  if (urn === null) return changed(resource, target, op, value)
  const extension = valueIn(resource, urn)
  const inner = changed(isObject(extension) ? extension : {}, target, op, value)
  return Object.keys(inner).length === 0
    ? withoutKey(resource, urn)
    : { ...withoutKey(resource, urn), [urn]: inner }
}

/** `urn:…:User` with an object of attributes; of the core schema, they are those of the resource. */
function applyToExtension(
  resource: ScimJson,
  urn: string | null,
  op: ScimOperation['op'],
  value: unknown,
): ScimJson {
  if (op === 'remove' && urn !== null) return withoutKey(resource, urn)
  if (!isObject(value)) throw new ScimError('invalidValue', 'The value of a schema must be an object.')
  let result = resource
  for (const [key, inner] of Object.entries(value))
    result = applyOperation(result, { op, path: urn === null ? key : `${urn}:${key}`, value: inner })
  return result
}

type Target = Omit<ScimPath, 'urn' | 'attribute'> & { readonly attribute: string }

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

function changed(container: ScimJson, target: Target, op: ScimOperation['op'], value: unknown): ScimJson {
  const key = keyIn(container, target.attribute) ?? target.attribute
  const current = Object.hasOwn(container, key) ? container[key] : undefined
  // Null is "no value": RFC 7643, section 2.5.
  const kind = value === null || (value === undefined && op === 'replace') ? 'remove' : op
  const next = target.filter
    ? entriesChanged(current, target.filter, target.sub, kind, value)
    : target.sub !== null
      ? subChanged(current, target.sub, kind, value)
      : wholeChanged(current, kind, value)
  if (Array.isArray(next) && next.length > mostEntries)
    throw new ScimError('tooMany', `${target.attribute} can hold ${mostEntries} entries.`)
  if (isEmpty(next)) return withoutKey(container, key)
  const result = { ...container, [key]: next }
  if (Object.keys(result).length > mostEntries) throw tooManyAttributes()
  return result
}

const assign = (entry: ScimJson, sub: string, op: ScimOperation['op'], value: unknown): ScimJson =>
  op === 'remove' ? withoutKey(entry, sub) : { ...withoutKey(entry, sub), [sub]: value }

/** Entries that a filter chooses. An entry that is not there yet is made from the filter: `{"type": "work"}`. */
function entriesChanged(
  current: unknown,
  filter: ScimFilter,
  sub: string | null,
  op: ScimOperation['op'],
  value: unknown,
): unknown {
  const entries = objectsIn(current ?? [])
  const chosen = new Set(entries.filter(entry => isChosen(entry, filter)))
  if (op === 'remove' && sub === null) return entries.filter(entry => !chosen.has(entry))
  const change = (entry: ScimJson): ScimJson => {
    if (sub !== null) return assign(entry, sub, op, value)
    if (!isObject(value)) throw new ScimError('invalidValue', 'The value of an entry must be an object.')
    return { ...entry, ...value }
  }
  if (chosen.size === 0) return op === 'remove' ? current : [...entries, change(entryOf(filter))]
  return entries.map(entry => (chosen.has(entry) ? change(entry) : entry))
}

function isChosen(entry: ScimJson, filter: ScimFilter): boolean {
  if ('filters' in filter) {
    const chooses = (inner: ScimFilter) => isChosen(entry, inner)
    return filter.op === 'and' ? filter.filters.every(chooses) : filter.filters.some(chooses)
  }
  if (filter.op === 'not') return !isChosen(entry, filter.filter)
  if (filter.op === 'entry')
    throw new ScimError('invalidFilter', 'The brackets of a path cannot have brackets inside.')
  return isMatch(valueIn(entry, filter.name), filter)
}

/** Texts are compared without case. An entry without `primary` is not the primary one: RFC 7643, section 2.4. */
function isMatch(stored: unknown, { op, value }: ScimComparison): boolean {
  if (op === 'pr') return stored !== '' && !isEmpty(stored)
  if (isEmpty(stored) && value !== false) return op === 'ne'
  const lower = (sent: unknown) => String(sent ?? false).toLowerCase()
  const [a, b] = [lower(stored), lower(value)]
  const results = {
    ...{ eq: a === b, ne: a !== b, co: a.includes(b), sw: a.startsWith(b), ew: a.endsWith(b) },
    ...{ gt: a > b, ge: a >= b, lt: a < b, le: a <= b },
  }
  return results[op]
}

function entryOf(filter: ScimFilter): ScimJson {
  if (filter.op === 'eq') return { [filter.name]: filter.value }
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(entryOf))
  throw new ScimError('noTarget', 'No entry matches the filter of the path.')
}

function subChanged(current: unknown, sub: string, op: ScimOperation['op'], value: unknown): unknown {
  if (Array.isArray(current)) return objectsIn(current).map(entry => assign(entry, sub, op, value))
  return assign(isObject(current) ? current : {}, sub, op, value)
}

/** Two entries of a list are the same when their values are, or when they are equal. */
const entryKey = (entry: unknown): string =>
  JSON.stringify(isObject(entry) ? (valueIn(entry, 'value') ?? entry) : entry) ?? ''

function wholeChanged(current: unknown, op: ScimOperation['op'], value: unknown): unknown {
  const sent = Array.isArray(value) ? value : [value]
  const keys = new Set(sent.map(entryKey))
  if (op === 'remove') {
    if (value === undefined || value === null || !Array.isArray(current)) return undefined
    return current.filter(entry => !keys.has(entryKey(entry)))
  }
  if (isObject(current) && isObject(value)) return { ...current, ...value }
  if (op === 'replace' || !Array.isArray(current)) return value
  return [...current.filter(entry => !keys.has(entryKey(entry))), ...sent]
}
