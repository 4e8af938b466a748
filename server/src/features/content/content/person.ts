// The person whose values fill a signature: a teammate, or placeholders.

import type { Person } from '@signoff/render'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import { ownEntry } from '#kernel/base/own-entry.ts'
import type { Db } from '#kernel/db/db.ts'
import { findRowVersions, findValues, findValuesOfMany, type StoredValue } from './queries.ts'

/** Undefined when the address does not exist. */
export async function personAt(
  db: Db,
  workspaceId: string,
  emailId: string,
  fields: readonly SmartField[],
  addressState: StoredValue = 'in use',
): Promise<Person | undefined> {
  const stored = await findValues(db, workspaceId, emailId, addressState)
  if (!stored) return undefined
  const computed = fields.filter(field => field.computed).map(field => [field.id, stored.address])
  return { ...stored.values, ...Object.fromEntries(computed) }
}

export interface PersonAtAddress {
  readonly address: string
  /** The number that tracked links use for this address. */
  readonly number: number
  /** The primary address of the same person. */
  readonly primaryAddress: string
  readonly person: Person
  /** Changes after every change of these values. */
  readonly rowVersion: string
}

/** People by email id. Deleted addresses are missing. */
export async function peopleAt(
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
  fields: readonly SmartField[],
): Promise<Map<string, PersonAtAddress>> {
  const computed = fields.filter(field => field.computed).map(field => field.id)
  const rows = await findValuesOfMany(db, workspaceId, emailIds)
  return new Map(
    rows.map(({ id, number, address, primary_address: primaryAddress, values, row_version: rowVersion }) => {
      const addresses = Object.fromEntries(computed.map(field => [field, address]))
      return [id, { address, number, primaryAddress, person: { ...values, ...addresses }, rowVersion }]
    }),
  )
}

/** Only the row versions of `peopleAt`. */
export async function rowVersionsAt(
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findRowVersions(db, workspaceId, emailIds)
  return new Map(rows.map(({ id, row_version }) => [id, row_version]))
}

const placeholderByKey: Readonly<Record<string, string>> = {
  first_name: 'Alex',
  last_name: 'Morgan',
  job_title: 'Head of Sales',
  department: 'Sales',
  company: 'Example Ltd',
  calendar_link: 'https://cal.example.com/alex',
}
const placeholderByKind: Readonly<Record<SmartField['kind'], (field: SmartField) => string>> = {
  text: field => field.label,
  url: () => 'https://www.example.com',
  email: () => 'alex.morgan@example.com',
  phone: () => '+1 555 010 0100',
  image: () => '',
}

/** For a preview without an address: every field has a sample value. */
export const placeholders = (fields: readonly SmartField[], picture: string): Person =>
  Object.fromEntries(
    fields.map(field => [
      field.id,
      field.kind === 'image'
        ? picture
        : (ownEntry(placeholderByKey, field.key) ?? placeholderByKind[field.kind](field)),
    ]),
  )
