// What the usual servers call things. Each can be changed by a setting.
import type { OfferedAttribute } from '#features/people/directories/index.ts'

export const presetNames = ['active_directory', 'openldap', 'freeipa'] as const
export type PresetName = (typeof presetNames)[number]

export interface Preset {
  readonly peopleFilter: string
  readonly groupFilter: string
  readonly orgUnitFilter: string
  readonly idAttribute: string
  readonly addressAttribute: string
  /** Further addresses. Values like `smtp:ada@example.com` count without the prefix. */
  readonly aliasAttributes: readonly string[]
  readonly photoAttribute: string
  readonly disabledAttribute: string
  /** Values of the disabled attribute, in any case. `userAccountControl` is a number whose second bit counts. */
  readonly disabledValues: readonly string[]
  readonly groupNameAttribute: string
  /** The members of groups: names of entries, or user names. */
  readonly memberAttributes: readonly string[]
  /** User names, which `memberUid` of groups names. */
  readonly userNameAttribute: string
  /** Those that change with every write of an entry; the first that an entry has counts. */
  readonly stampAttributes: readonly string[]
}

const unixGroups = {
  memberAttributes: ['member', 'uniqueMember', 'memberUid'],
  userNameAttribute: 'uid',
  groupNameAttribute: 'cn',
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  active_directory: {
    peopleFilter: '(&(objectCategory=person)(objectClass=user)(|(mail=*)(proxyAddresses=*)))',
    groupFilter: '(objectClass=group)',
    orgUnitFilter: '(objectClass=organizationalUnit)',
    idAttribute: 'objectGUID',
    addressAttribute: 'mail',
    aliasAttributes: ['proxyAddresses'],
    photoAttribute: 'thumbnailPhoto',
    disabledAttribute: 'userAccountControl',
    disabledValues: [],
    groupNameAttribute: 'cn',
    memberAttributes: ['member'],
    userNameAttribute: 'sAMAccountName',
    stampAttributes: ['uSNChanged'],
  },
  openldap: {
    ...unixGroups,
    peopleFilter: '(&(objectClass=person)(mail=*))',
    groupFilter: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
    orgUnitFilter: '(objectClass=organizationalUnit)',
    idAttribute: 'entryUUID',
    addressAttribute: 'mail',
    aliasAttributes: ['mailAlternateAddress', 'mailLocalAddress'],
    photoAttribute: 'jpegPhoto',
    disabledAttribute: 'pwdAccountLockedTime',
    // Locked for good by an administrator; other values are locks after wrong passwords, which end.
    disabledValues: ['000001010000Z'],
    stampAttributes: ['entryCSN', 'modifyTimestamp'],
  },
  freeipa: {
    ...unixGroups,
    peopleFilter: '(&(objectClass=person)(objectClass=ipaObject)(mail=*))',
    groupFilter: '(objectClass=ipaUserGroup)',
    orgUnitFilter: '(objectClass=organizationalUnit)',
    idAttribute: 'ipaUniqueID',
    addressAttribute: 'mail',
    aliasAttributes: ['mailAlternateAddress'],
    photoAttribute: 'jpegPhoto',
    disabledAttribute: 'nsAccountLock',
    disabledValues: ['TRUE'],
    stampAttributes: ['entryusn', 'modifyTimestamp'],
  },
}

/** Attributes that are read from every server. Active Directory and inetOrgPerson use the same names. */
export const ldapAttributes: readonly OfferedAttribute[] = [
  { path: 'givenName', label: 'First name', suggestedField: 'first_name' },
  { path: 'sn', label: 'Last name', suggestedField: 'last_name' },
  { path: 'displayName', label: 'Display name' },
  { path: 'cn', label: 'Common name' },
  { path: 'title', label: 'Job title', suggestedField: 'job_title' },
  { path: 'department', label: 'Department', suggestedField: 'department' },
  { path: 'departmentNumber', label: 'Department number' },
  { path: 'ou', label: 'Org unit (attribute)' },
  { path: 'company', label: 'Company', suggestedField: 'company' },
  { path: 'o', label: 'Organization' },
  { path: 'telephoneNumber', label: 'Work phone', suggestedField: 'work_phone' },
  { path: 'mobile', label: 'Mobile phone', suggestedField: 'mobile_phone' },
  { path: 'facsimileTelephoneNumber', label: 'Fax' },
  { path: 'ipPhone', label: 'IP phone' },
  { path: 'streetAddress', label: 'Street' },
  { path: 'street', label: 'Street (other name)' },
  { path: 'postalCode', label: 'Postal code' },
  { path: 'l', label: 'City' },
  { path: 'st', label: 'State or province' },
  { path: 'co', label: 'Country' },
  { path: 'c', label: 'Country code' },
  { path: 'physicalDeliveryOfficeName', label: 'Office' },
  { path: 'roomNumber', label: 'Room' },
  { path: 'employeeNumber', label: 'Employee number' },
  { path: 'employeeID', label: 'Employee id' },
  { path: 'employeeType', label: 'Employee type' },
  { path: 'manager', label: 'Manager' },
  { path: 'wWWHomePage', label: 'Website' },
  { path: 'labeledURI', label: 'Link' },
  { path: 'preferredLanguage', label: 'Language' },
  { path: 'initials', label: 'Initials' },
  { path: 'personalTitle', label: 'Title before the name' },
  ...Array.from({ length: 15 }, (_, n) => ({
    path: `extensionAttribute${n + 1}`,
    label: `Extension attribute ${n + 1}`,
  })),
]

const secretEndings = [
  'password',
  'passwd',
  'pwd',
  'passwordhistory',
  'pwdhistory',
  'otpkey',
  'nthash',
  'lmhash',
]
const secretParts = ['pkcs12', 'laps', 'credentials', 'trustauth', 'privatekey']

/** Passwords, keys and their hashes: never read, whatever a setting says. */
export function holdsSecret(attribute: string): boolean {
  const name = attribute.toLowerCase()
  return (
    secretEndings.some(ending => name.endsWith(ending)) ||
    secretParts.some(part => name.includes(part)) ||
    (name.startsWith('krb') && name.endsWith('key'))
  )
}
