// What is stored of a resource, and what an answer shows of it.
import { apiError } from '#kernel/base/errors.ts'
import { isObject } from '#kernel/base/json-values.ts'
import { isShallow, keyIn, type ScimJson, spelled, valueIn, withoutKey } from './attributes.ts'
import { ScimError } from './errors.ts'
import { mostEntries, tooManyAttributes } from './patch.ts'

/** Computed by the service, or a secret that it must not keep. */
const neverStored = ['id', 'meta', 'groups', 'password']

/** Bytes of a stored resource: a page of a list holds 200. */
const largestResource = 64 * 1024

/** A resource as it is stored: known names in their usual spelling, no empty values. */
export function storedResource(sent: ScimJson, core: string): ScimJson {
  if (!isShallow(sent)) throw new ScimError('invalidValue', 'The resource is nested too deeply.')
  let resource = spelled(sent)
  for (const name of neverStored) resource = withoutKey(resource, name)
  const entries = Object.entries(resource).filter(([, value]) => value !== null)
  const long = entries.find(([, value]) => Array.isArray(value) && value.length > mostEntries)
  if (long) throw new ScimError('tooMany', `${long[0].slice(0, 100)} can hold ${mostEntries} entries.`)
  if (entries.length > mostEntries) throw tooManyAttributes()
  const schemas = valueIn(resource, 'schemas')
  const listed = Array.isArray(schemas) ? schemas.filter(urn => typeof urn === 'string') : []
  const stored = Object.fromEntries([
    ['schemas', listed.includes(core) ? listed : [core, ...listed]],
    ...entries.filter(([key]) => key !== 'schemas'),
  ])
  if (JSON.stringify(stored).length > largestResource) throw apiError('payload_too_large')
  return stored
}

/** A text that must fit into an index. */
const longestText = 500

/** Undefined when there is none. */
export function optionalText(resource: ScimJson, name: string): string | undefined {
  const value = valueIn(resource, name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new ScimError('invalidValue', `${name} must be a text.`)
  if (value.length > longestText)
    throw new ScimError('invalidValue', `${name} can have ${longestText} characters.`)
  return value.trim() === '' ? undefined : value
}

export function requiredText(resource: ScimJson, name: string): string {
  const text = optionalText(resource, name)
  if (text === undefined) throw new ScimError('invalidValue', `${name} is required.`)
  return text
}

export interface StoredResource {
  readonly id: string
  readonly resource: ScimJson
  readonly created_at: Date
  readonly updated_at: Date
}

/** A resource as answers show it. */
export function shownResource(
  { id, resource, created_at, updated_at }: StoredResource,
  resourceType: 'User' | 'Group',
  baseUrl: string,
): ScimJson {
  return {
    ...resource,
    id,
    meta: {
      resourceType,
      created: created_at.toISOString(),
      lastModified: updated_at.toISOString(),
      location: `${baseUrl}/${resourceType}s/${id}`,
    },
  }
}

export interface Projection {
  readonly attributes?: string
  readonly excludedAttributes?: string
}

const namesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
    .slice(0, 100)

/** `urn:…:User:department` and `name.givenName` as steps. */
function stepsOf(resource: ScimJson, name: string): readonly string[] {
  if (keyIn(resource, name) !== undefined) return [name]
  const colon = name.lastIndexOf(':')
  const [urn, rest] = colon < 0 ? [null, name] : [name.slice(0, colon), name.slice(colon + 1)]
  const steps = rest.split('.', 2)
  return urn === null || keyIn(resource, urn) === undefined ? steps : [urn, ...steps]
}

/** The part of a value that these steps lead to. */
function picked(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value
  if (Array.isArray(value)) return value.map(item => picked(item, [step, ...rest]) ?? {})
  if (!isObject(value)) return undefined
  const key = keyIn(value, step)
  return key === undefined ? undefined : { [key]: picked(value[key], rest) }
}

function dropped(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return undefined
  if (Array.isArray(value)) return value.map(item => dropped(item, [step, ...rest]))
  if (!isObject(value)) return value
  const key = keyIn(value, step)
  if (key === undefined) return value
  return rest.length === 0 ? withoutKey(value, key) : { ...value, [key]: dropped(value[key], rest) }
}

const always = new Set(['id', 'schemas'])

const merged = (first: unknown, second: unknown): unknown => {
  if (Array.isArray(first) && Array.isArray(second)) return first.map((item, at) => merged(item, second[at]))
  if (!isObject(first) || !isObject(second)) return second ?? first
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return Object.fromEntries(keys.map(key => [key, merged(first[key], second[key])]))
}

/** The attributes that a client has asked for. */
export function projected(resource: ScimJson, { attributes, excludedAttributes }: Projection): ScimJson {
  const names = namesOf(attributes)
  if (names.length > 0) {
    const base = Object.fromEntries(Object.entries(resource).filter(([key]) => always.has(key)))
    return names
      .map(name => picked(resource, stepsOf(resource, name)))
      .reduce<unknown>((all, part) => merged(all, part ?? {}), base) as ScimJson
  }
  return namesOf(excludedAttributes)
    .filter(name => !always.has(name.toLowerCase()))
    .reduce<unknown>((left, name) => dropped(left, stepsOf(resource, name)), resource) as ScimJson
}

/** True if an answer has to show the members of groups. */
export const wantsMembers = ({ attributes, excludedAttributes }: Projection): boolean => {
  const isMembers = (name: string) => /^members\b/i.test(name.slice(name.lastIndexOf(':') + 1))
  const names = namesOf(attributes)
  if (names.length > 0) return names.some(isMembers)
  return !namesOf(excludedAttributes).some(name => name.toLowerCase() === 'members')
}
