// The rows of the small table of people, and how pasted cells are spread over them.
import type { TeammateInput } from '@signoff/sdk'

export const personColumns = ['first_name', 'last_name', 'email', 'job_title', 'work_phone'] as const
export type PersonColumn = (typeof personColumns)[number]
export type PersonRow = Readonly<Record<PersonColumn, string>>

export const maxRows = 10
export const emptyRow: PersonRow = { first_name: '', last_name: '', email: '', job_title: '', work_phone: '' }

export const isFilled = (row: PersonRow): boolean => personColumns.some(column => row[column].trim() !== '')

/** `Ada King Lovelace` → the last word is the last name. */
export function splitName(name: string): Pick<PersonRow, 'first_name' | 'last_name'> {
  const words = name.trim().split(/\s+/)
  return words.length < 2
    ? { first_name: words[0] ?? '', last_name: '' }
    : { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
}

const isAddress = (cell: string) => /^\S+@\S+\.\S+$/.test(cell)
const isPhone = (cell: string) => /^[+(\d][\d\s()/.-]{5,}$/.test(cell)

function rowOf(cells: readonly string[]): PersonRow {
  const email = cells.find(isAddress) ?? ''
  const phone = cells.find(isPhone) ?? ''
  const words = cells.filter(cell => cell !== '' && cell !== email && cell !== phone)
  const [first = '', second = '', third = ''] = words
  const hasWholeName = words.length < 3 && first.includes(' ')
  const name = hasWholeName ? splitName(first) : { first_name: first, last_name: second }
  return { ...name, email, job_title: hasWholeName ? second : third, work_phone: phone }
}

/** Lines of a spreadsheet or of a list of addresses; undefined when the text is a single value. */
export function rowsInText(text: string): readonly PersonRow[] | undefined {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  if (lines.length < 2 && !text.includes('\t')) return undefined
  const separator = text.includes('\t') ? /\t/ : /[;,]/
  const rows = lines.map(line => rowOf(line.split(separator).map(cell => cell.trim())))
  // A line without an address is the head of the table.
  return rows.filter(({ email }) => email !== '')
}

export const teammateInputOf = ({ email, ...values }: PersonRow): TeammateInput => ({
  email: email.trim(),
  smart_fields: Object.entries(values)
    .filter(([, value]) => value.trim() !== '')
    .map(([key, value]) => ({ smart_field: key, value: value.trim() })),
})
