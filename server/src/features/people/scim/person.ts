// A user of SCIM as a person of the directory.
import type { DirectoryPerson, OfferedAttribute } from '#features/people/directories/index.ts'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { isObject } from '#kernel/base/json-values.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import { booleanOf, enterpriseUrn, objectsIn, type ScimJson, valueIn } from './attributes.ts'
import { ScimError } from './errors.ts'

export const scimAttributes: readonly OfferedAttribute[] = [
  { path: 'name.givenName', label: 'First name', suggestedField: 'first_name' },
  { path: 'name.familyName', label: 'Last name', suggestedField: 'last_name' },
  { path: 'name.formatted', label: 'Full name' },
  { path: 'displayName', label: 'Display name' },
  { path: 'title', label: 'Job title', suggestedField: 'job_title' },
  { path: 'enterprise.department', label: 'Department', suggestedField: 'department' },
  { path: 'enterprise.organization', label: 'Company', suggestedField: 'company' },
  { path: 'enterprise.division', label: 'Division' },
  { path: 'enterprise.costCenter', label: 'Cost center' },
  { path: 'enterprise.employeeNumber', label: 'Employee number' },
  { path: 'enterprise.manager.displayName', label: 'Manager' },
  { path: 'phoneNumbers.work', label: 'Work phone', suggestedField: 'work_phone' },
  { path: 'phoneNumbers.mobile', label: 'Mobile phone', suggestedField: 'mobile_phone' },
  { path: 'addresses.work.formatted', label: 'Work address' },
  { path: 'addresses.work.streetAddress', label: 'Street' },
  { path: 'addresses.work.locality', label: 'City' },
  { path: 'addresses.work.postalCode', label: 'Postal code' },
  { path: 'addresses.work.country', label: 'Country' },
  { path: 'preferredLanguage', label: 'Language' },
  { path: 'userName', label: 'User name' },
]

interface Email {
  readonly value: string
  readonly type: string
  readonly isPrimary: boolean
}

export function emailsOf(resource: ScimJson): Email[] {
  const sent = valueIn(resource, 'emails')
  if (sent === undefined || sent === null) return []
  if (!Array.isArray(sent) || !sent.every(isObject))
    throw new ScimError('invalidValue', 'emails must be a list of objects.')
  return sent.flatMap(entry => {
    const value = valueIn(entry, 'value')
    if (typeof value !== 'string') return []
    const type = String(valueIn(entry, 'type') ?? '').toLowerCase()
    return [{ value: value.trim(), type, isPrimary: booleanOf(valueIn(entry, 'primary')) === true }]
  })
}

/** The primary one, else the one for work, else the user name, else any other. */
function addressOf(emails: readonly Email[], userName: string): string {
  const valid = emails.filter(({ value }) => isEmailAddress(value))
  const preferred =
    valid.find(({ isPrimary }) => isPrimary) ??
    valid.find(({ type }) => type === 'work') ??
    valid.find(({ type }) => type === '')
  if (preferred) return preferred.value
  if (isEmailAddress(userName.trim())) return userName.trim()
  if (valid[0]) return valid[0].value
  throw new ScimError(
    'invalidValue',
    'The user has no valid address: send a primary entry in emails, or a userName that is an address.',
  )
}

/** Texts, numbers and booleans. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : ['number', 'boolean'].includes(typeof value) ? String(value) : ''

const prefixOf = (key: string): string => {
  if (key.toLowerCase() === enterpriseUrn.toLowerCase()) return 'enterprise.'
  return /^urn:/i.test(key) ? `${key}:` : `${key}.`
}

const typeOf = (entry: ScimJson): string => {
  const type = textOf(valueIn(entry, 'type')).trim()
  return type === '' ? 'work' : type.toLowerCase().replaceAll('.', '_')
}

const skipped = new Set(['schemas', 'active', 'photos', 'x509certificates', 'roles', 'entitlements'])

/** `phoneNumbers.work`, `addresses.work.locality`: the first entry of each type counts. */
function addEntries(attributes: Map<string, string>, name: string, entries: readonly unknown[]): void {
  const sorted = objectsIn(entries).sort(
    (a, b) => Number(booleanOf(valueIn(b, 'primary')) ?? 0) - Number(booleanOf(valueIn(a, 'primary')) ?? 0),
  )
  for (const entry of sorted)
    for (const [part, value] of Object.entries(entry)) {
      if (['type', 'primary', 'display', '$ref'].includes(part.toLowerCase())) continue
      const path =
        part.toLowerCase() === 'value' ? `${name}${typeOf(entry)}` : `${name}${typeOf(entry)}.${part}`
      const text = textOf(value)
      if (text !== '' && !attributes.has(path)) attributes.set(path, text)
    }
}

function addAttributes(
  attributes: Map<string, string>,
  prefix: string,
  object: ScimJson,
  depth: number,
): void {
  for (const [key, value] of Object.entries(object)) {
    if (depth === 0 && skipped.has(key.toLowerCase())) continue
    const text = textOf(value)
    if (text !== '') attributes.set(`${prefix}${key}`, text)
    else if (Array.isArray(value)) addEntries(attributes, `${prefix}${key}.`, value)
    else if (isObject(value) && depth < 3)
      addAttributes(attributes, depth === 0 ? prefixOf(key) : `${prefix}${key}.`, value, depth + 1)
  }
}

/** Throws `invalidValue` for a user without an address. Private addresses do not get a signature. */
export function personOfScim({
  person_id,
  resource,
  is_active,
}: {
  person_id: string
  resource: ScimJson
  is_active: boolean
}): DirectoryPerson {
  const emails = emailsOf(resource)
  const primaryAddress = addressOf(emails, String(valueIn(resource, 'userName') ?? ''))
  const attributes = new Map<string, string>()
  addAttributes(attributes, '', resource, 0)
  return {
    externalId: person_id,
    primaryAddress,
    aliases: emails
      .filter(({ value, type }) => type !== 'home' && comparisonKey(value) !== comparisonKey(primaryAddress))
      .map(({ value }) => value),
    isActive: is_active,
    attributes: Object.fromEntries(attributes),
  }
}
