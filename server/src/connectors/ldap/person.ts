// An entry as a person of the directory.
import type { DirectoryPerson } from '#features/people/directories/index.ts'
import { nameInDn, readExtendedDn } from './dn.ts'
import { entryId, entryText, entryTexts, type LdapEntry } from './entry.ts'
import { ldapAttributes } from './presets.ts'
import type { LdapSettings } from './settings.ts'

/** Names of other entries: people see the name in front. */
const nameAttributes = new Set(['manager', 'secretary', 'assistant'])

const valuePaths = (settings: LdapSettings): string[] => [
  ...new Map(
    [...ldapAttributes.map(({ path }) => path), ...settings.extraAttributes].map(path => [
      path.toLowerCase(),
      path,
    ]),
  ).values(),
]

/** Everything that `personOf` needs, and the stamps of photos. */
export const personAttributes = (settings: LdapSettings): string[] => [
  ...new Set([
    settings.idAttribute,
    settings.addressAttribute,
    ...settings.aliasAttributes,
    settings.disabledAttribute,
    settings.userNameAttribute,
    ...settings.stampAttributes,
    ...valuePaths(settings),
  ]),
]

const prefixed = /^([A-Za-z0-9]+):(.*)$/

/** `SMTP:ada@example.com` is the primary address, `smtp:` an alias; `x500:` and `sip:` are no mail. */
function readAddress(value: string): { readonly address: string; readonly isPrimary: boolean } | undefined {
  const [, prefix = '', address = ''] = prefixed.exec(value.trim()) ?? []
  if (prefix === '') return { address: value.trim(), isPrimary: false }
  if (prefix.toLowerCase() !== 'smtp' || /\.onmicrosoft\.com$/i.test(address)) return undefined
  return { address, isPrimary: prefix === 'SMTP' }
}

interface Addresses {
  readonly primary: string
  readonly aliases: readonly string[]
}

/** The first value of the address attribute counts; the others, and those of the alias attributes, are aliases. */
export function mailAddressesOf(entry: LdapEntry, settings: LdapSettings): Addresses {
  const own = entryTexts(entry, settings.addressAttribute).map(address => address.trim())
  const others = settings.aliasAttributes.flatMap(attribute =>
    entryTexts(entry, attribute).flatMap(value => readAddress(value) ?? []),
  )
  const primary = own.find(address => address !== '') ?? others.find(({ isPrimary }) => isPrimary)?.address
  return {
    primary: primary ?? '',
    aliases: [...own, ...others.map(({ address }) => address)].filter(
      address => address !== '' && address !== primary,
    ),
  }
}

const accountDisabled = 2

function isDisabled(entry: LdapEntry, { disabledAttribute, disabledValues }: LdapSettings): boolean {
  const values = entryTexts(entry, disabledAttribute)
  if (disabledAttribute.toLowerCase() === 'useraccountcontrol')
    return (Number(values[0] ?? 0) & accountDisabled) !== 0
  return values.some(value =>
    disabledValues.some(disabledValue => disabledValue.toLowerCase() === value.toLowerCase()),
  )
}

function attributesOf(entry: LdapEntry, settings: LdapSettings): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const path of valuePaths(settings)) {
    const values = entryTexts(entry, path).map(value =>
      nameAttributes.has(path.toLowerCase()) ? nameInDn(readExtendedDn(value).dn) : value.trim(),
    )
    const text = values.filter(value => value !== '').join(', ')
    if (text !== '') attributes[path] = text
  }
  return attributes
}

/** Data of a person that only other entries hold. */
export interface PersonPlace {
  readonly orgUnitId: string | null
  readonly photoTag: string | null
}

/** Undefined for entries without an id or without an address: they have no mailbox. */
export function ldapPersonOf(
  entry: LdapEntry,
  settings: LdapSettings,
  { orgUnitId, photoTag }: PersonPlace,
): DirectoryPerson | undefined {
  const externalId = entryId(entry, settings.idAttribute)
  const { primary, aliases } = mailAddressesOf(entry, settings)
  if (externalId === undefined || primary === '') return undefined
  return {
    externalId,
    primaryAddress: primary,
    aliases,
    isActive: !isDisabled(entry, settings),
    attributes: attributesOf(entry, settings),
    photoTag,
    orgUnitId,
  }
}

/** Changes with every write of the entry; empty when the server shows none. */
export const stampOf = (entry: LdapEntry, { stampAttributes }: LdapSettings): string =>
  stampAttributes.map(attribute => entryText(entry, attribute)).find(stamp => stamp !== '') ?? ''
