// Values of an entry. LDAP has no single values, and attribute names have no case.
import type { SearchEntry } from 'ldapts'

export interface LdapEntry {
  readonly dn: string
  /** By name in lower case, options included: `member;range=0-1499`. */
  readonly values: ReadonlyMap<string, readonly Buffer[]>
}

export const entryOf = ({ name, attributes }: SearchEntry): LdapEntry => ({
  dn: name,
  values: new Map(attributes.map(({ type, parsedBuffers }) => [type.toLowerCase(), parsedBuffers])),
})

export const entryBytes = ({ values }: LdapEntry, attribute: string): readonly Buffer[] =>
  values.get(attribute.toLowerCase()) ?? []

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined when the bytes are no text. */
function decode(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Values that are texts; others are left out. */
export const entryTexts = (entry: LdapEntry, attribute: string): string[] =>
  entryBytes(entry, attribute).flatMap(bytes => decode(bytes) ?? [])

export const entryText = (entry: LdapEntry, attribute: string): string =>
  entryTexts(entry, attribute)[0] ?? ''

const isGuidAttribute = (attribute: string): boolean => attribute.toLowerCase() === 'objectguid'

/** The first three parts of a GUID are stored with the lowest byte first. */
const swapped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  copy.subarray(0, 4).reverse()
  copy.subarray(4, 6).reverse()
  copy.subarray(6, 8).reverse()
  return copy
}

export const guidOf = (bytes: Buffer): string =>
  swapped(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const hexPrefix = 'hex:'

/** The id of an entry as text; undefined when it has none. Ids that are no text are written in hex. */
export function entryId(entry: LdapEntry, attribute: string): string | undefined {
  const [bytes] = entryBytes(entry, attribute)
  if (!bytes || bytes.length === 0) return undefined
  if (isGuidAttribute(attribute)) return bytes.length === 16 ? guidOf(bytes) : undefined
  return decode(bytes) ?? `${hexPrefix}${bytes.toString('hex')}`
}

/** The value that the server compares with. */
export function idValue(id: string, attribute: string): Buffer {
  if (isGuidAttribute(attribute)) return swapped(Buffer.from(id.replaceAll('-', ''), 'hex'))
  return id.startsWith(hexPrefix) ? Buffer.from(id.slice(hexPrefix.length), 'hex') : Buffer.from(id)
}
