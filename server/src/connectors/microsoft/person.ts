// A user of Microsoft Entra as a person of the directory.
import type { DirectoryPerson, OfferedAttribute } from '#features/people/directories/index.ts'
import type { GraphObject } from './delta.ts'

export const entraAttributes: readonly OfferedAttribute[] = [
  { path: 'givenName', label: 'First name', suggestedField: 'first_name' },
  { path: 'surname', label: 'Last name', suggestedField: 'last_name' },
  { path: 'displayName', label: 'Display name' },
  { path: 'jobTitle', label: 'Job title', suggestedField: 'job_title' },
  { path: 'department', label: 'Department', suggestedField: 'department' },
  { path: 'companyName', label: 'Company', suggestedField: 'company' },
  { path: 'businessPhones', label: 'Business phone', suggestedField: 'work_phone' },
  { path: 'mobilePhone', label: 'Mobile phone', suggestedField: 'mobile_phone' },
  { path: 'officeLocation', label: 'Office' },
  { path: 'streetAddress', label: 'Street' },
  { path: 'postalCode', label: 'Postal code' },
  { path: 'city', label: 'City' },
  { path: 'state', label: 'State or province' },
  { path: 'country', label: 'Country' },
  { path: 'employeeId', label: 'Employee number' },
  { path: 'preferredLanguage', label: 'Language' },
  { path: 'userPrincipalName', label: 'User principal name' },
]

const extensions = 'onPremisesExtensionAttributes'

/** The properties that are asked for: neither sign-ins, nor licences, nor security settings. */
export const userProperties: readonly string[] = [
  'id',
  'mail',
  'proxyAddresses',
  'userType',
  'accountEnabled',
  ...entraAttributes.map(({ path }) => path),
  extensions,
]

/** Addresses that Microsoft adds to every mailbox, and that no mail is sent from. */
const isInternalAddress = (address: string): boolean =>
  /[@.](?:onmicrosoft\.(?:com|us|de)|partner\.onmschina\.cn)$/i.test(address)

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Texts, numbers, booleans, and lists of them. */
function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter(text => text !== '')
      .join(', ')
  return textIn(value)
}

/** `SMTP:` is the primary address, `smtp:` an alias; there are also `SIP:`, `X500:` and others. */
function addressesOf({ mail, proxyAddresses }: GraphObject): { primary: string; aliases: string[] } {
  const listed = Array.isArray(proxyAddresses) ? proxyAddresses.map(textIn) : []
  const smtp = listed.filter(text => /^smtp:/i.test(text))
  const primary =
    smtp
      .find(text => text.startsWith('SMTP:'))
      ?.slice(5)
      .trim() || textIn(mail)
  const aliases = smtp
    .filter(text => !text.startsWith('SMTP:'))
    .map(text => text.slice(5).trim())
    .filter(alias => alias !== '' && !isInternalAddress(alias))
  return { primary, aliases }
}

function attributesOf(user: GraphObject, extra: readonly string[]): Record<string, string> {
  const attributes = new Map<string, string>()
  const add = (path: string, text: string) => text !== '' && attributes.set(path, text)
  for (const { path } of entraAttributes) add(path, textOf(user[path]))
  // A user has one business phone; the list is Microsoft's form.
  if (Array.isArray(user.businessPhones)) add('businessPhones', textOf(user.businessPhones[0]))
  for (const name of extra) add(name, textOf(user[name]))
  const numbered = user[extensions]
  if (typeof numbered === 'object' && numbered !== null)
    for (const [name, value] of Object.entries(numbered)) add(`${extensions}.${name}`, textOf(value))
  return Object.fromEntries(attributes)
}

/**
 * Undefined for guests, and for accounts without a mailbox such as those of administrators. Accounts that cannot sign in
 * are inactive: people who were blocked, and the mailboxes of rooms, equipment and shared mail.
 */
export function personOfUser(user: GraphObject, extra: readonly string[]): DirectoryPerson | undefined {
  const { primary, aliases } = addressesOf(user)
  if (primary === '' || textIn(user.userType).toLowerCase() === 'guest') return undefined
  return {
    externalId: textIn(user.id),
    primaryAddress: primary,
    aliases,
    isActive: user.accountEnabled !== false,
    attributes: attributesOf(user, extra),
  }
}
