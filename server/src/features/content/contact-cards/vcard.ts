// Contact cards as vCard 3.0 (RFC 2426), the version that Outlook, phones and webmail all import.
import { type Contact, fullNameOf } from './contact.ts'

/** Octets of a line without its line break. */
const maxLineBytes = 75
const maxValueCharacters = 500
/** A QR code with more cannot be scanned from a screen at its usual size. */
const maxCompactBytes = 300
const maxCompactCharacters = 48

const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text].slice(0, characters).join('').trimEnd()

const escapeValue = (text: string): string => text.replace(/[\\;,]/g, '\\$&')

/** Folds a line after at most 75 octets, never inside a character. */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxLineBytes) return line
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > maxLineBytes) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

interface Property {
  readonly name: string
  /** The parts of a structured value; null when there is nothing to say. */
  readonly parts: readonly string[] | null
  /** A web address is written as it is: a client would keep the backslash of an escaped comma. */
  readonly isAddress?: boolean
}

const text = (name: string, ...parts: readonly string[]): Property => ({
  name,
  parts: parts.every(part => part === '') ? null : parts,
})
const address = (name: string, url: string): Property => ({
  name,
  parts: url === '' ? null : [url],
  isAddress: true,
})

const isAscii = (value: string): boolean => !/[^ -~]/.test(value)

/** Undefined when the property has no value. */
function lineOf({ name, parts, isAddress }: Property, maxCharacters: number): string | undefined {
  if (parts === null) return undefined
  const value = isAddress
    ? parts.join('')
    : parts.map(part => escapeValue(cut(part, maxCharacters))).join(';')
  return `${name}:${value}`
}

/** The card begins with the name, which is required. */
const nameOf = (contact: Contact): readonly Property[] => [
  text('N', contact.last_name, contact.first_name || (contact.last_name ? '' : contact.email), '', '', ''),
  text('FN', fullNameOf(contact)),
]

const companyOf = ({ company, department }: Contact): Property =>
  department === '' ? text('ORG', company) : text('ORG', company, department)

const propertiesOf = (contact: Contact): readonly Property[] => [
  ...nameOf(contact),
  text('TITLE', contact.job_title),
  companyOf(contact),
  text('TEL;TYPE=WORK,VOICE', contact.work_phone),
  text('TEL;TYPE=CELL,VOICE', contact.mobile_phone),
  text('EMAIL;TYPE=INTERNET,PREF', contact.email),
  address('URL', contact.website),
  address('item1.URL', contact.calendar_link),
  text('item1.X-ABLabel', contact.calendar_link === '' ? '' : 'Calendar'),
]

const enclosed = (lines: readonly string[]): string =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')

/** Outlook reads a value as Windows-1252 unless the property names its character set. */
const withCharset = (line: string): string => (isAscii(line) ? line : line.replace(':', ';CHARSET=UTF-8:'))

/** The card of a person. `photo` is a small JPEG. It has no date, so that an unchanged card has an unchanged ETag. */
export function vcardOf(contact: Contact, photo: Buffer | null = null): string {
  const lines = propertiesOf(contact)
    .map(property => lineOf(property, maxValueCharacters))
    .filter(line => line !== undefined)
    .map(withCharset)
  if (photo) lines.push(`PHOTO;ENCODING=b;TYPE=JPEG:${photo.toString('base64')}`)
  return enclosed(lines.map(fold))
}

/** The card for a QR code: the most useful properties that fit into it. */
export function compactVcardOf(contact: Contact): string {
  const optional = [
    text('EMAIL', contact.email),
    text('TEL;TYPE=CELL', contact.mobile_phone),
    text('TEL;TYPE=WORK', contact.work_phone),
    text('ORG', contact.company),
    text('TITLE', contact.job_title),
    address('URL', contact.website),
  ]
  const lines: string[] = []
  for (const property of [...nameOf(contact), ...optional]) {
    // A shortened mail address would be the address of another person.
    const line = lineOf(property, property.name === 'EMAIL' ? maxCompactBytes : maxCompactCharacters)
    if (line !== undefined && Buffer.byteLength(enclosed([...lines, line])) <= maxCompactBytes)
      lines.push(line)
  }
  return enclosed(lines)
}
