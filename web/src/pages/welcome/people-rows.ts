// The rows of the small table of people.
import type { TeammateInput } from '@signoff/sdk'

export const personColumns = ['first_name', 'last_name', 'email', 'job_title', 'work_phone'] as const
export type PersonColumn = (typeof personColumns)[number]
export type PersonRow = Readonly<Record<PersonColumn, string>>
/** Problems of a row, beside the fields that have them. */
export type RowProblems = Readonly<Partial<Record<PersonColumn, string>>>

export const maxRows = 10
export const emptyRow: PersonRow = { first_name: '', last_name: '', email: '', job_title: '', work_phone: '' }

export const isFilled = (row: PersonRow): boolean => personColumns.some(column => row[column].trim() !== '')

export const isAddress = (cell: string) => /^\S+@\S+\.\S+$/.test(cell)

/** `Ada King Lovelace` → the last word is the last name. */
export function splitName(name: string): Pick<PersonRow, 'first_name' | 'last_name'> {
  const words = name.trim().split(/\s+/)
  return words.length < 2
    ? { first_name: words[0] ?? '', last_name: '' }
    : { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
}

/** The columns with a value, in the order in which they are sent. */
const valuesOf = ({ email: _, ...values }: PersonRow) =>
  (Object.entries(values) as [PersonColumn, string][]).filter(([, value]) => value.trim() !== '')

export const teammateInputOf = (row: PersonRow): TeammateInput => ({
  email: row.email.trim(),
  smart_fields: valuesOf(row).map(([key, value]) => ({ smart_field: key, value: value.trim() })),
})

/** The column that a field of the API belongs to: `smart_fields[1].value` is the second value that was sent. */
export function columnOf(row: PersonRow, field: string): PersonColumn {
  const place = /smart_fields\[(\d+)\]/.exec(field)?.[1]
  return (place === undefined ? undefined : valuesOf(row)[Number(place)]?.[0]) ?? 'email'
}
