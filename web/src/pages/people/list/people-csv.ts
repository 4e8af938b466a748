// The list of people as a CSV file, made in the browser.
import type { SmartField, Teammate } from '@signoff/sdk'
import { api, queryClient } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { apiFiltersOf, type PeopleFilters, valueIn } from '#records/people/people-data.ts'
import { saveFile } from '#ui/download.ts'

/** A spreadsheet would run a text that begins like this as a formula. */
const formula = /^[=+\-@\t\r]/
/** Phone numbers begin with a plus and are no formulas. */
const plainNumber = /^[+-]?[\d\s().\-/]+$/

export function csvCell(text: string): string {
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

export async function downloadPeople(
  filters: PeopleFilters,
  fields: readonly SmartField[],
  titles: { readonly name: string; readonly email: string; readonly file: string },
  onProgress: (count: number) => void,
): Promise<void> {
  const allFields = await queryClient.ensureQueryData(smartFieldsQuery)
  const rowOf = (person: Teammate) =>
    line([
      nameOfTeammate(person, allFields),
      person.email,
      ...fields.map(({ id }) => valueIn(person, id) ?? ''),
    ])
  // Excel takes the byte order mark as the sign of UTF-8.
  const parts = ['\uFEFF', line([titles.name, titles.email, ...fields.map(({ label }) => label)])]
  for await (const person of api.teammates.list({ ...apiFiltersOf(filters), limit: 100, sort: 'name' })) {
    parts.push(rowOf(person))
    if (parts.length % 500 === 0) onProgress(parts.length)
  }
  saveFile(titles.file, new Blob(parts, { type: 'text/csv' }))
}
