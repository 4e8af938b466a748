// A user of Google Workspace as a person of the directory.
import type { DirectoryPerson, OfferedAttribute } from '#features/people/directories/index.ts'

type Json = Readonly<Record<string, unknown>>

/** The fields that are asked for: neither recovery addresses, nor sign-ins, nor security settings. */
export const userFields =
  'id,primaryEmail,name(givenName,familyName,fullName,displayName),aliases,nonEditableAliases,suspended,archived,' +
  'orgUnitPath,organizations,phones,addresses,locations,relations,externalIds,websites,languages,customSchemas,' +
  'thumbnailPhotoEtag,isGuestUser'

export const googleAttributes: readonly OfferedAttribute[] = [
  { path: 'name.givenName', label: 'First name', suggestedField: 'first_name' },
  { path: 'name.familyName', label: 'Last name', suggestedField: 'last_name' },
  { path: 'name.fullName', label: 'Full name' },
  { path: 'organizations.title', label: 'Job title', suggestedField: 'job_title' },
  { path: 'organizations.department', label: 'Department', suggestedField: 'department' },
  { path: 'organizations.name', label: 'Company', suggestedField: 'company' },
  { path: 'organizations.costCenter', label: 'Cost center' },
  { path: 'phones.work', label: 'Work phone', suggestedField: 'work_phone' },
  { path: 'phones.mobile', label: 'Mobile phone', suggestedField: 'mobile_phone' },
  { path: 'addresses.work.formatted', label: 'Work address' },
  { path: 'addresses.work.locality', label: 'City' },
  { path: 'addresses.work.country', label: 'Country' },
  { path: 'locations.buildingId', label: 'Building' },
  { path: 'locations.floorName', label: 'Floor' },
  { path: 'relations.manager', label: 'Manager' },
  { path: 'externalIds.organization', label: 'Employee number' },
  { path: 'websites.work', label: 'Website' },
  { path: 'languages', label: 'Language' },
  { path: 'orgUnitPath', label: 'Org unit' },
]

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Texts, numbers, booleans, and lists of them: `[{"value": "Tea"}, {"value": "Go"}]` becomes `Tea, Go`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return value
      .map(item => textOf(isObject(item) ? item.value : item))
      .filter(text => text !== '')
      .join(', ')
  return ''
}

/** The primary entry comes first; Google allows one per list. */
const primaryFirst = (list: readonly Json[]): Json[] =>
  [...list].sort((a, b) => Number(b.primary === true) - Number(a.primary === true))

const typeOf = ({ type, customType }: Json): string =>
  String((type === 'custom' && customType) || type || 'work').replaceAll('.', '_')

/** `name.part` of each entry by its type; the first of each type counts. */
function byType(
  attributes: Map<string, string>,
  name: string,
  list: unknown,
  parts: readonly string[],
): void {
  for (const entry of primaryFirst(objectsIn(list)))
    for (const part of parts) {
      const path = part === 'value' ? `${name}.${typeOf(entry)}` : `${name}.${typeOf(entry)}.${part}`
      const text = textOf(entry[part])
      if (text !== '' && !attributes.has(path)) attributes.set(path, text)
    }
}

const addressParts = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country']
const organizationParts = ['name', 'title', 'department', 'costCenter', 'location', 'description']
const locationParts = ['buildingId', 'floorName', 'floorSection', 'deskCode', 'area']

function firstOf(
  attributes: Map<string, string>,
  name: string,
  list: unknown,
  parts: readonly string[],
): void {
  const [entry] = primaryFirst(objectsIn(list))
  for (const part of parts) {
    const text = textOf(entry?.[part])
    if (text !== '') attributes.set(`${name}.${part}`, text)
  }
}

function attributesOf(user: Json): Record<string, string> {
  const attributes = new Map<string, string>()
  const name = isObject(user.name) ? user.name : {}
  for (const part of ['givenName', 'familyName', 'fullName', 'displayName'])
    if (textOf(name[part]) !== '') attributes.set(`name.${part}`, textOf(name[part]))
  firstOf(attributes, 'organizations', user.organizations, organizationParts)
  byType(attributes, 'phones', user.phones, ['value'])
  byType(attributes, 'addresses', user.addresses, addressParts)
  firstOf(attributes, 'locations', user.locations, locationParts)
  byType(attributes, 'relations', user.relations, ['value'])
  byType(attributes, 'externalIds', user.externalIds, ['value'])
  byType(attributes, 'websites', user.websites, ['value'])
  const [language] = objectsIn(user.languages)
  const languageText = textOf(language?.languageCode ?? language?.customLanguage)
  if (languageText !== '') attributes.set('languages', languageText)
  if (textOf(user.orgUnitPath) !== '') attributes.set('orgUnitPath', textOf(user.orgUnitPath))
  for (const [schema, fields] of Object.entries(isObject(user.customSchemas) ? user.customSchemas : {}))
    for (const [field, value] of Object.entries(isObject(fields) ? fields : {}))
      if (textOf(value) !== '') attributes.set(`customSchemas.${schema}.${field}`, textOf(value))
  return Object.fromEntries(attributes)
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** Undefined for guests, who have no mailbox in the domain. `orgUnitAt` finds the id of an org unit by its path. */
export function personOf(
  user: Json,
  orgUnitAt: (path: string) => string | null,
): DirectoryPerson | undefined {
  if (typeof user.id !== 'string' || typeof user.primaryEmail !== 'string' || user.isGuestUser === true)
    return undefined
  return {
    externalId: user.id,
    primaryAddress: user.primaryEmail,
    // Google adds an alias like name@domain.com.test-google-a.com for the set-up of domains.
    aliases: [...textsIn(user.aliases), ...textsIn(user.nonEditableAliases)].filter(
      alias => !alias.endsWith('.test-google-a.com'),
    ),
    isActive: user.suspended !== true && user.archived !== true,
    attributes: attributesOf(user),
    photoTag: typeof user.thumbnailPhotoEtag === 'string' ? user.thumbnailPhotoEtag : null,
    orgUnitId: typeof user.orgUnitPath === 'string' ? orgUnitAt(user.orgUnitPath) : null,
  }
}
