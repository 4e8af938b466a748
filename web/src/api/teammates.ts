// What pages show of a person.
import type { Teammate } from '@signoff/sdk'

const value = (person: Teammate, ...labels: readonly string[]): string | null =>
  person.smart_fields.find(({ label }) => labels.includes(label.toLowerCase()))?.value || null

/** The name as people say it; the address where there is none. */
export function nameOfTeammate(person: Teammate): string {
  const names = [value(person, 'first name', 'vorname'), value(person, 'last name', 'nachname')].filter(
    Boolean,
  )
  return value(person, 'full name', 'name') ?? (names.length > 0 ? names.join(' ') : person.email)
}
