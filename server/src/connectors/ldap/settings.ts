// Settings of an LDAP directory. Where it is and what is read is decided by the operator, on the command line: it names
// hosts of the own network, and an account can read more of a directory than one workspace may see.
import { X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import { Type } from 'typebox'
import { directorySettings } from '#features/workspace/integrations/index.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject } from '#kernel/base/closed.ts'
import { invalid } from '#kernel/base/errors.ts'
import type { LdapTarget } from './connecting.ts'
import { partsOf } from './dn.ts'
import { holdsSecret, type Preset, type PresetName, presetNames, presets } from './presets.ts'

const attributeName = '^[A-Za-z0-9][A-Za-z0-9.-]*$'
const attribute = (description: string) =>
  Type.Optional(Type.String({ pattern: attributeName, maxLength: 100, description }))
const attributes = (description: string, maxItems: number) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: attributeName, maxLength: 100 }), { maxItems, description }),
  )
const bases = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 20, description }),
  )
const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 3, maxLength: 5_000, description }))

export const ldapSettings = ClosedObject(directorySettings)

export const ldapOperatorSettings = Type.Object({
  url: Type.String({
    pattern: '^ldaps?://[^/?#@\\s]+/?$',
    maxLength: 500,
    description: 'ldaps://host or ldap://host, with a port if it is not the usual one.',
    examples: ['ldaps://dc1.example.com'],
  }),
  start_tls: Type.Optional(
    Type.Boolean({
      description: 'Of ldap://: encrypt the connection before the password is sent. Default: true.',
    }),
  ),
  ca_certificate: Type.Optional(
    Type.String({
      maxLength: 100_000,
      description: 'PEM of the authority that issued the certificate of the server.',
    }),
  ),
  preset: OneOf(presetNames, { description: 'Which server it is: filters and names of attributes.' }),
  bind_dn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'The account that reads, with the secret `password`. Left out: anonymous.',
    }),
  ),
  people_bases: bases('Where people are. Default: the base that the server names.'),
  group_bases: bases('Where groups are. Default: the same as for people.'),
  people_filter: filter('Which entries are people.'),
  group_filter: filter('Which entries are groups.'),
  id_attribute: attribute('An id that stays when an entry is renamed.'),
  address_attribute: attribute('The primary address.'),
  alias_attributes: attributes('Further addresses.', 10),
  photo_attribute: attribute('The photo, as JPEG or PNG.'),
  disabled_attribute: attribute('Says that an account is disabled.'),
  disabled_values: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 20,
      description: 'Values of disabled_attribute that mean disabled.',
    }),
  ),
  group_name_attribute: attribute('The name of a group.'),
  member_attributes: attributes('The members of a group.', 5),
  attributes: attributes('Attributes of people that are read besides the usual ones.', 50),
  page_size: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: 1_000,
      description: 'Entries that are asked for at once. Some servers allow fewer. Default: 500.',
    }),
  ),
})

export const ldapSecret = ClosedObject({
  password: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'The password of the account bind_dn.',
  }),
})

export interface LdapSettings extends Preset, LdapTarget {
  readonly preset: PresetName
  readonly bindDn: string | null
  /** Null: the base that the server names. */
  readonly peopleBases: readonly string[] | null
  readonly groupBases: readonly string[] | null
  readonly extraAttributes: readonly string[]
  readonly pageSize: number
}

type Stored = Readonly<Record<string, unknown>>
const text = (stored: Stored, key: string): string | null =>
  typeof stored[key] === 'string' ? stored[key] : null
const texts = (stored: Stored, key: string): readonly string[] | null => {
  const value = stored[key]
  return Array.isArray(value) ? value.map(String) : null
}

/** The stored settings, with those of the preset. */
export function ldapSettingsOf(stored: Stored): LdapSettings {
  const preset = presetNames.find(name => name === stored.preset) ?? 'openldap'
  const usual = presets[preset]
  return {
    ...usual,
    preset,
    url: text(stored, 'url') ?? '',
    startTls: stored.start_tls !== false,
    caCertificate: text(stored, 'ca_certificate'),
    bindDn: text(stored, 'bind_dn'),
    peopleBases: texts(stored, 'people_bases'),
    groupBases: texts(stored, 'group_bases'),
    peopleFilter: text(stored, 'people_filter') ?? usual.peopleFilter,
    groupFilter: text(stored, 'group_filter') ?? usual.groupFilter,
    idAttribute: text(stored, 'id_attribute') ?? usual.idAttribute,
    addressAttribute: text(stored, 'address_attribute') ?? usual.addressAttribute,
    aliasAttributes: texts(stored, 'alias_attributes') ?? usual.aliasAttributes,
    photoAttribute: text(stored, 'photo_attribute') ?? usual.photoAttribute,
    disabledAttribute: text(stored, 'disabled_attribute') ?? usual.disabledAttribute,
    disabledValues: texts(stored, 'disabled_values') ?? usual.disabledValues,
    groupNameAttribute: text(stored, 'group_name_attribute') ?? usual.groupNameAttribute,
    memberAttributes: texts(stored, 'member_attributes') ?? usual.memberAttributes,
    extraAttributes: texts(stored, 'attributes') ?? [],
    pageSize: typeof stored.page_size === 'number' ? stored.page_size : 500,
  }
}

/** Active Directory can name members of groups by the ids of entries. */
export const namesGuids = ({ preset, idAttribute }: LdapSettings): boolean =>
  preset === 'active_directory' && idAttribute.toLowerCase() === 'objectguid'

const refuse = (key: string, problem: string): never => {
  throw invalid(`settings.${key}`, 'invalid', { message: `settings.${key}: ${problem}` })
}

function checkUrl(url: string): void {
  if (!URL.canParse(url) || new URL(url).hostname === '') refuse('url', 'the address names no host')
}

function checkCertificate(pem: string): void {
  try {
    new X509Certificate(pem)
  } catch {
    refuse('ca_certificate', 'it is not a certificate in PEM format')
  }
}

const load = createRequire(import.meta.url)

function checkFilter(key: string, filter: string): void {
  const { FilterParser } = load('ldapts') as typeof import('ldapts')
  try {
    FilterParser.parseString(filter)
  } catch (error) {
    refuse(key, `it is not an LDAP filter (${(error as Error).message})`)
  }
}

/** Every single attribute that a setting names. */
const attributeKeys = [
  'id_attribute',
  'address_attribute',
  'photo_attribute',
  'disabled_attribute',
  'group_name_attribute',
  'alias_attributes',
  'member_attributes',
  'attributes',
]

/** Throws `invalid(…)` for what the schema cannot express. */
export function checkLdapSettings(stored: Stored): void {
  checkUrl(String(stored.url))
  const certificate = text(stored, 'ca_certificate')
  if (certificate !== null) checkCertificate(certificate)
  for (const key of ['people_filter', 'group_filter']) {
    const filter = text(stored, key)
    if (filter !== null) checkFilter(key, filter)
  }
  for (const key of ['people_bases', 'group_bases'])
    for (const base of texts(stored, key) ?? [])
      if (partsOf(base).length === 0) refuse(key, `“${base}” is not a name such as dc=example,dc=com`)
  for (const key of attributeKeys)
    for (const name of [stored[key]].flat())
      if (typeof name === 'string' && holdsSecret(name))
        refuse(key, `${name} holds a secret, and is never read`)
}
