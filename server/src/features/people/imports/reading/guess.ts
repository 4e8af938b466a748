// Which smart field a column belongs to, by its name in English or German, or by its cells.

import { isEmailAddress } from '#kernel/api/validation.ts'
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { ColumnMapping } from './table.ts'

export interface GuessField {
  readonly key: string
  readonly label: string
  /** The address of the person: it names the person, and is not written as a value. */
  readonly isAddress: boolean
}

interface GuessColumn {
  readonly name: string
  readonly cells: readonly string[]
}

/** Other names of the built-in fields, in the form of `plainForm`. */
const synonyms: Readonly<Record<string, string>> = {
  email:
    'email emailaddress emailadresse mail mailadresse mailaddress emailwork workemail primaryemail emailprimary userprincipalname upn emailgeschaftlich emaildienstlich businessemail',
  first_name: 'firstname givenname forename vorname rufname first prename',
  last_name: 'lastname surname familyname nachname familienname zuname last',
  job_title:
    'jobtitle title position role jobrole jobbezeichnung berufsbezeichnung funktion stelle positionsbezeichnung stellenbezeichnung rolle tatigkeit',
  department: 'department dept team division abteilung bereich fachbereich organisationseinheit orgunit',
  company:
    'company companyname organization organisation employer firma unternehmen firmenname gesellschaft arbeitgeber',
  work_phone:
    'workphone phone phonenumber telephone telephonenumber tel officephone businessphone businessphones phonework landline telefon telefonnummer rufnummer festnetz festnetznummer durchwahl telefongeschaftlich telefondienstlich telefonburo',
  mobile_phone:
    'mobilephone mobile mobilenumber mobilephonenumber cell cellphone cellnumber phonemobile handy handynummer mobil mobilnummer mobiltelefon mobilfunk mobilfunknummer diensthandy',
  calendar_link:
    'calendarlink calendar calendarurl bookinglink bookingurl meetinglink calendly kalender kalenderlink buchungslink terminlink terminbuchung',
  profile_picture:
    'profilepicture picture pictureurl photo photourl avatar avatarurl image imageurl portrait headshot thumbnailphotourl foto fotourl bild bildurl profilbild profilfoto portraitfoto',
}

/** Lower case, without accents, blanks and punctuation: `E-Mail-Adresse` → `emailadresse`. */
const plainForm = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The share of non-empty cells that must be addresses, where no name tells. */
const addressShare = 0.8

const looksLikeAddresses = ({ cells }: GuessColumn): boolean => {
  const filled = cells.filter(cell => cell.trim() !== '')
  return (
    filled.length > 0 &&
    filled.filter(cell => isEmailAddress(cell.trim())).length >= filled.length * addressShare
  )
}

/** Each field belongs to one column at most. The label and the key of a field go before the other names. */
export function guessMapping(columns: readonly GuessColumn[], fields: readonly GuessField[]): ColumnMapping {
  const mapping = new Map<string, string>()
  const taken = new Set<string>()
  const assign = (column: GuessColumn, key: string) => {
    if (mapping.has(column.name) || taken.has(key)) return
    mapping.set(column.name, key)
    taken.add(key)
  }
  const namesOf: readonly ((field: GuessField) => readonly string[])[] = [
    ({ label, key }) => [plainForm(label), plainForm(key)],
    ({ key }) => (ownEntry(synonyms, key) ?? '').split(' '),
  ]
  for (const names of namesOf) {
    const byName = new Map(fields.flatMap(field => names(field).map(name => [name, field] as const)))
    for (const column of columns) {
      const field = byName.get(plainForm(column.name))
      if (field) assign(column, field.key)
    }
  }
  const address = fields.find(field => field.isAddress)
  const byCells = columns.find(column => !mapping.has(column.name) && looksLikeAddresses(column))
  if (address && byCells) assign(byCells, address.key)
  return Object.fromEntries(columns.map(({ name }) => [name, mapping.get(name) ?? null]))
}
