// Checks requests against their schemas. All problems are answered in the contract's form, each with the path of its
// field.
import { isUtf8 } from 'node:buffer'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import { apiError, type Detail, type DetailCode, detail, validationError } from '#kernel/base/errors.ts'
import { isObject, sample, unstorableProblems } from '#kernel/base/json-values.ts'
import { isPlainName } from '#kernel/db/text.ts'
import { asLiteral, type Base64File, filePlaceholder, withoutFile } from './file-in-body.ts'
import { shapeProblems } from './json-shape.ts'
import type { BodyShape } from './routes.ts'

/** The text has at least one visible character. */
export const visiblePattern = '\\S'

export const Text = (maxLength = 5_000, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: visiblePattern, ...options })
/** The name of a person. */
export const PersonName = (options: object = {}) => Text(200, { format: 'plain-name', ...options })
export const Uuid = (options: object = {}) => Type.String({ format: 'uuid', ...options })
export const Timestamp = (options: object = {}) => Type.String({ format: 'date-time', ...options })
/** A day or an instant: see `readMoment`. */
export const DayOrInstant = (options: object = {}) => Type.String({ format: 'day-or-instant', ...options })
/** For lists. `readMoment` reads it. */
export const updatedSince = {
  updated_since: Type.Optional(
    DayOrInstant({
      maxLength: 40,
      description:
        'Only records that were created or changed at or after this instant (or day, in UTC). A request that is being processed can commit an earlier `updated_at` later: let the next call begin a minute before the last one.',
    }),
  ),
}
export const OneOf = <T extends string>(values: readonly T[], options: object = {}): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** The handler gets a Base64File. */
export const FileInBase64 = (options: object = {}): TUnsafe<Base64File> =>
  Type.Unsafe<Base64File>({ type: 'string', contentEncoding: 'base64', ...options })

/** The same schema with `null` allowed. Without `anyOf`, which would make Ajv's errors hard to read. */
export function Nullable<T>(schema: TUnsafe<T> | TSchema): TUnsafe<T | null> {
  const { type, enum: values, ...rest } = schema as TSchema & { type: string; enum?: unknown[] }
  return Type.Unsafe<T | null>({ ...rest, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}
export const NullableText = (maxLength?: number) => Nullable<string>(Text(maxLength))
export const NullableTimestamp = () => Nullable<string>(Timestamp())
export const NullableUuid = () => Nullable<string>(Uuid())

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const emailAddress =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}.]+(\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)+$/u
/**
 * Invisible characters, and characters that change the writing direction: an address with them looks like another one.
 */
const invisible = /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && emailAddress.test(text) && !invisible.test(text)
/** True also for addresses of this machine, which operators can set, such as `owner@localhost`. */
export const isLocalOrEmailAddress = (text: string): boolean =>
  isEmailAddress(text) || (text.endsWith('@localhost') && isEmailAddress(`${text}.localdomain`))
export const EmailAddress = (options: object = {}) => Type.String({ format: 'email-address', ...options })

/** ISO 4217 also has units of account, metals and test codes, which ICU leaves out. */
const currencies = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX'.split(' '),
])

const dateOnly = /^\d{4}-\d\d-\d\d$/
const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?$/
const offset = /([Zz]|[+-]\d\d:?\d\d)$/

export interface Moment {
  /** For a day: its beginning. */
  readonly at: Date
  readonly isDay: boolean
}

/** Reads a day (`2026-11-01`) or an instant, which is in UTC unless it has an offset. Undefined for other texts. */
export function readMoment(text: string): Moment | undefined {
  const isDay = dateOnly.test(text)
  if (!isDay && !instant.test(text)) return undefined
  const day = text.slice(0, 10)
  const start = new Date(`${day}T00:00:00Z`)
  const at = isDay ? start : new Date(`${text.replace(' ', 'T')}${offset.test(text.slice(10)) ? '' : 'Z'}`)
  if (Number.isNaN(at.getTime()) || Number.isNaN(start.getTime())) return undefined
  // JavaScript reads the 30th of February as the 2nd of March.
  return start.toISOString().slice(0, 10) === day ? { at, isDay } : undefined
}

/** No record is older or newer, and PostgreSQL reads no year outside of four digits. */
const [earliest, latest] = [0, Date.UTC(9999, 11, 31)] as const

/** The moment of a text that `DayOrInstant` has checked, to compare the times of records with. */
export function momentOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : readMoment(text)
  return moment && new Date(Math.min(Math.max(moment.at.getTime(), earliest), latest))
}

function compiler(options: Options): Ajv {
  const ajv = new Ajv({ allowUnionTypes: true, strictSchema: false, ...options })
  addFormats.default(ajv, ['date-time', 'date', 'uri'])
  ajv.addFormat('uuid', uuid) // that of ajv-formats accepts `urn:uuid:…` too, which PostgreSQL refuses
  ajv.addFormat('email-address', isEmailAddress)
  ajv.addFormat('plain-name', isPlainName)
  ajv.addFormat('day-or-instant', text => readMoment(text) !== undefined)
  ajv.addFormat('currency', text => currencies.has(text.toUpperCase()))
  return ajv
}
// Each schema is compiled twice: `quick` only finds whether a value is valid, `thorough` finds every problem.
const quick = compiler({ useDefaults: true })
const thorough = compiler({ useDefaults: true, allErrors: true, verbose: true })

type Code = DetailCode | ((error: ErrorObject, value: unknown) => DetailCode)

/** True if the keyword `type` admits numbers. */
export const isNumeric = (type: unknown): boolean =>
  [type].flat().some(name => name === 'number' || name === 'integer')

const codes: Readonly<Record<string, Code>> = {
  // JSON can write numbers that JavaScript reads as infinite.
  type: ({ params }, value) =>
    isNumeric(params.type) && (value === Infinity || value === -Infinity) ? 'out_of_range' : 'invalid_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  additionalProperties: 'unknown_property',
  maxLength: 'too_long',
  minLength: (_, value) => (value === '' ? 'blank' : 'too_short'),
  pattern: error => (error.params.pattern === visiblePattern ? 'blank' : 'invalid'),
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  minItems: 'too_short',
  uniqueItems: 'duplicate',
}

/** A property name can have a megabyte; its beginning is enough to identify it. */
const longestName = 200
const shortened = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name

const path = (pointer: string, last?: string): string =>
  [...pointer.split('/').slice(1), ...(last === undefined ? [] : [last])]
    .map(step => shortened(step.replaceAll('~1', '/').replaceAll('~0', '~')) || '""')
    .reduce((at, step) => (/^\d+$/.test(step) ? `${at}[${step}]` : at === '' ? step : `${at}.${step}`), '')

function at(root: unknown, pointer: string): unknown {
  let value = root
  for (const step of pointer.split('/').slice(1))
    value = (value as Record<string, unknown> | undefined)?.[step]
  return value
}

/** The missing properties of one object are one problem, as the contract says. */
function missingProperties(errors: readonly ErrorObject[], name: string): Detail[] {
  const byObject = Map.groupBy(errors, error => error.instancePath)
  return [...byObject].map(([pointer, group]) => {
    const names = group.map(error => String(error.params.missingProperty))
    const object = path(pointer) || name
    const [only, ...others] = names
    if (only !== undefined && others.length === 0)
      return detail(path(pointer, only), 'missing', { missing: names })
    return detail(object, 'missing', { missing: names, message: `${object} lacks ${names.join(', ')}` })
  })
}

const propertiesText = (limit: number): string => (limit === 1 ? 'one property' : `${limit} properties`)

function detailOf(error: ErrorObject, root: unknown, name: string): Detail {
  const code = codes[error.keyword] ?? 'invalid'
  const detailCode = typeof code === 'function' ? code(error, at(root, error.instancePath)) : code
  if (detailCode === 'unknown_property') {
    return detail(path(error.instancePath, String(error.params.additionalProperty)), detailCode)
  }
  const field = path(error.instancePath) || name
  if (detailCode === 'not_allowed') {
    const allowed: unknown[] = error.params.allowedValues ?? [error.params.allowedValue]
    const words = allowed.filter(value => value !== null)
    const list = words.length > 12 ? 'the allowed values' : words.join(', ')
    return detail(field, detailCode, { allowed, message: `${field} must be one of ${list}` })
  }
  if (error.keyword === 'minProperties')
    return detail(field, detailCode, {
      message: `${field} needs at least ${propertiesText(error.params.limit)}`,
    })
  if (detailCode === 'out_of_range' && error.keyword === 'type') return beyondAllNumbers(error, field)
  if (detailCode === 'blank' || error.keyword === 'format' || error.keyword === 'pattern')
    return detail(field, detailCode)
  return detail(field, detailCode, { message: `${field} ${error.message ?? 'is not valid'}` })
}

/** An infinite number. For Ajv it has the wrong type, so the range that it misses is in the schema only. */
function beyondAllNumbers({ parentSchema, data }: ErrorObject, field: string): Detail {
  const { minimum, maximum } = (parentSchema ?? {}) as { minimum?: number; maximum?: number }
  const [relation, limit] = data === Infinity ? ['<=', maximum] : ['>=', minimum]
  if (limit === undefined) return detail(field, 'out_of_range')
  return detail(field, 'out_of_range', { message: `${field} must be ${relation} ${limit}` })
}

/** One problem per field: a value of the wrong type is not also reported as "not one of". */
function detailsOf(errors: readonly ErrorObject[], root: unknown, name: string): Detail[] {
  const required = errors.filter(error => error.keyword === 'required')
  const others = errors.filter(error => error.keyword !== 'required')
  const byField = new Map<string, Detail>()
  const all = [...missingProperties(required, name), ...others.map(error => detailOf(error, root, name))]
  for (const problem of all) {
    const earlier = byField.get(problem.field)
    if (earlier === undefined || problem.code === 'invalid_type') byField.set(problem.field, problem)
  }
  return [...byField.values()]
}

type Check = (value: unknown) => Detail[]

/** Finds all problems of a value, at most a few dozen. */
function checker(schema: TSchema, name: string): Check {
  // Compiled when first used: the schemas of all routes take 0.2 s and 10 MB, and a process uses some of them only.
  let isValid: ValidateFunction | undefined
  let findAll: ValidateFunction | undefined
  return value => {
    isValid ??= quick.compile(schema)
    if (isValid(value)) return []
    findAll ??= thorough.compile(schema)
    const part = sample(value)
    findAll(part)
    return detailsOf((findAll.errors ?? []).slice(0, 200), part, name)
  }
}

function throwProblems(check: Check, value: unknown): void {
  const problems = check(value)
  if (problems.length > 0) throw validationError(problems)
}

function parse(bytes: Buffer): { value: unknown; escapes: boolean } {
  if (!isUtf8(bytes)) throw apiError('malformed_json')
  const costly = shapeProblems(bytes)
  if (costly.length > 0) throw validationError(costly)
  const text = bytes.toString('utf8')
  try {
    // Only a \u escape can produce a character that cannot be stored, so most bodies need no second walk.
    return { value: JSON.parse(text), escapes: text.includes('\\u') }
  } catch {
    throw apiError('malformed_json')
  }
}

function unwrap(value: unknown, { name, required }: NonNullable<BodyShape['wrapper']>): unknown {
  if (!isObject(value) || (!required && !Object.hasOwn(value, name))) return value
  if (!Object.hasOwn(value, name)) throw validationError([detail(name, 'missing', { missing: [name] })])
  const unknown = Object.keys(value).filter(key => key !== name)
  if (unknown.length > 0)
    throw validationError(unknown.slice(0, 100).map(key => detail(shortened(key), 'unknown_property')))
  return value[name]
}

/** A body, and what is wrong with it. Throws where there is no object to check. */
export interface ReadBody {
  readonly body: object
  readonly problems: readonly Detail[]
}

export function bodyReader({
  schema,
  wrapper,
  problems,
  file,
  items,
}: BodyShape): (bytes: Buffer | undefined) => ReadBody {
  const name = wrapper?.name ?? 'body'
  const check = checker(schema, name)
  const checkAll: Check = value => {
    const schemaProblems = check(value)
    const fields = new Set(schemaProblems.map(({ field }) => field))
    return [
      ...schemaProblems,
      ...(problems?.(value as object) ?? []).filter(({ field }) => !fields.has(field)),
    ]
  }
  return bytes => {
    const { rest, literal } =
      bytes && file !== undefined ? withoutFile(bytes, file) : { rest: bytes, literal: null }
    const { value, escapes } =
      rest === undefined || rest.length === 0 ? { value: {}, escapes: false } : parse(rest)
    const inner = wrapper ? unwrap(value, wrapper) : value
    if (!isObject(inner))
      throw validationError([detail(name, 'invalid_type', { message: `${name} must be an object` })])
    const bad = escapes ? unstorableProblems(items === undefined ? inner : { ...inner, [items]: [] }) : []
    if (bad.length > 0) throw validationError(bad)
    const allProblems = checkAll(inner)
    const sent = file === undefined ? undefined : inner[file]
    if (file === undefined || typeof sent !== 'string') return { body: inner, problems: allProblems }
    const fileBody = { ...inner, [file]: sent === filePlaceholder && literal ? { literal } : asLiteral(sent) }
    return { body: fileBody, problems: allProblems }
  }
}

/** For items of a list that are checked one by one. */
export const itemChecker = (schema: TSchema, name: string): Check => checker(schema, name)

/** Returns a function that picks the properties of an object that match their schema. */
export function propertyPicker({ properties }: TObject): (sent: object) => Record<string, unknown> {
  const checks = Object.entries(properties).map(
    ([name, schema]) => [name, checker(schema as TSchema, name)] as const,
  )
  return sent => {
    const values = new Map(Object.entries(sent))
    const matching = checks.filter(
      ([name, check]) => values.has(name) && check(values.get(name)).length === 0,
    )
    return Object.fromEntries(matching.map(([name]) => [name, values.get(name)]))
  }
}

/** Query parameters are texts. A text that does not look like its type stays a text, and the schema refuses it. */
function asType(sent: unknown, type: string | undefined): unknown {
  if (typeof sent !== 'string') return sent
  if ((type === 'integer' || type === 'number') && /^-?\d{1,20}(\.\d{1,15})?$/.test(sent)) return Number(sent)
  if (type === 'boolean' && (sent === 'true' || sent === 'false')) return sent === 'true'
  return sent
}

/** UUIDs mean the same in upper and lower case; we store and compare lower case. */
export const lowerUuid = <T>(value: T): T | string =>
  typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : value

export function queryReader(schema: TObject): (query: unknown) => unknown {
  const check = checker(schema, 'query')
  const properties = Object.entries(schema.properties) as [string, { type?: string; format?: string }][]
  return query => {
    const sent = query as Record<string, unknown>
    const values: Record<string, unknown> = {}
    for (const [key, { type, format }] of properties)
      if (sent[key] !== undefined)
        values[key] = asType(format === 'uuid' ? lowerUuid(sent[key]) : sent[key], type)
    const bad = unstorableProblems(values)
    if (bad.length > 0) throw validationError(bad)
    throwProblems(check, values)
    return values
  }
}
