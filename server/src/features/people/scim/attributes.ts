// Names of attributes: SCIM compares them without case.
import { isObject } from '#kernel/base/json-values.ts'

export type ScimJson = Readonly<Record<string, unknown>>

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The spelling that answers use. */
const spellings = new Map(
  [
    'schemas id externalId meta userName name formatted familyName givenName middleName honorificPrefix honorificSuffix',
    'displayName nickName profileUrl title userType preferredLanguage locale timezone active password emails phoneNumbers',
    'ims photos addresses groups entitlements roles x509Certificates members value display type primary streetAddress',
    'locality region postalCode country employeeNumber costCenter organization division department manager',
    `${userUrn} ${groupUrn} ${enterpriseUrn}`,
  ]
    .flatMap(names => names.split(' '))
    .map(name => [name.toLowerCase(), name]),
)

export const spellingOf = (name: string): string => spellings.get(name.toLowerCase()) ?? name

/** The own property with this name in any case. */
export function keyIn(object: ScimJson, name: string): string | undefined {
  if (Object.hasOwn(object, name)) return name
  const lower = name.toLowerCase()
  return Object.keys(object).find(key => key.toLowerCase() === lower)
}

export function valueIn(object: ScimJson, name: string): unknown {
  const key = keyIn(object, name)
  return key === undefined ? undefined : object[key]
}

export function withoutKey(object: ScimJson, name: string): ScimJson {
  const lower = name.toLowerCase()
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.toLowerCase() !== lower))
}

/** Names that the RFC defines in its spelling; those of other extensions stay as they were sent. */
export function spelled(resource: ScimJson): ScimJson {
  return Object.fromEntries(
    Object.entries(resource).map(([key, value]) =>
      spellings.has(key.toLowerCase()) ? [spellingOf(key), spelledDeep(value)] : [key, value],
    ),
  )
}

function spelledDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledDeep)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [spellingOf(key), spelledDeep(inner)]),
  )
}

export const objectsIn = (value: unknown): ScimJson[] =>
  (Array.isArray(value) ? value : [value]).filter(isObject)

/** Entra sends booleans as `"True"` and `"False"`. Undefined for what is no boolean. */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

const deepest = 20

/** True if arrays and objects are nested no deeper than any provider nests them. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < deepest && Object.values(value).every(inner => isShallow(inner, depth + 1))
}
