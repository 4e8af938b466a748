// How the columns of a file become a person's address and values.
import type { Static } from 'typebox'
import type { SmartField } from '#features/workspace/smart-fields/index.ts'
import type { IgnoredInput } from '#kernel/api/ignored.ts'
import { type Detail, detail, validationError } from '#kernel/base/errors.ts'
import type { ColumnMapping, LineProblemCode, TableColumn, TableRow } from './reading/table.ts'
import type { ImportFailure, Mode } from './schemas.ts'

interface Target {
  /** The index of the column. */
  readonly at: number
  readonly column: string
  readonly field: SmartField
}

export interface ResolvedMapping {
  readonly address: Omit<Target, 'field'>
  readonly targets: readonly Target[]
  /** Columns without effect: a directory writes their fields. */
  readonly ignored: readonly IgnoredInput[]
}

/** Smart fields by id and by key. */
const fieldsByName = (fields: readonly SmartField[]): ReadonlyMap<string, SmartField> =>
  new Map(fields.flatMap(field => [[field.id, field] as const, [field.key, field] as const]))

/** The column of the addresses. */
export function addressColumnOf(mapping: ColumnMapping, fields: readonly SmartField[]): string | undefined {
  const byName = fieldsByName(fields)
  return Object.keys(mapping).find(column => byName.get(mapping[column]?.toLowerCase() ?? '')?.computed)
}

/** Throws 422 with every problem. `columns` are those of the file. */
export function resolveMapping(
  mapping: ColumnMapping,
  columns: readonly Pick<TableColumn, 'name'>[],
  fields: readonly SmartField[],
  /** The CSV directory that the file is for: it writes its own fields. */
  directoryId: string | null = null,
): ResolvedMapping {
  const places = new Map(columns.map(({ name }, index) => [name, index]))
  const byName = fieldsByName(fields)
  const used = new Set<string>()
  const problems: Detail[] = []
  const targets: Target[] = []
  const ignored: IgnoredInput[] = []
  let address: ResolvedMapping['address'] | undefined
  for (const [column, name] of Object.entries(mapping)) {
    const path = `mapping.${column}`
    const at = places.get(column)
    const field = name === null ? null : byName.get(name.toLowerCase())
    if (at === undefined) {
      const message = `the file has no column ${JSON.stringify(column)}`
      problems.push(detail(path, 'unknown_reference', { message }))
    } else if (field === undefined) problems.push(detail(path, 'unknown_reference'))
    else if (field && used.has(field.id)) {
      const message = `${path}: another column has the smart field ${field.key} already`
      problems.push(detail(path, 'duplicate', { message }))
    } else if (field) {
      used.add(field.id)
      if (field.computed) address = { at, column }
      else if (field.integration_attribute !== null && field.integration_id !== directoryId)
        ignored.push({ field: path, code: 'directory_managed' })
      else targets.push({ at, column, field })
    }
  }
  if (!address && problems.length === 0) {
    const message = 'mapping must name the column of the addresses, with the value "email"'
    problems.push(detail('mapping', 'missing', { missing: ['email'], message }))
  }
  if (!address || problems.length > 0) throw validationError(problems)
  return { address, targets, ignored }
}

/** A row as `POST /v1/teammates/import` takes it. */
export interface MappedRow {
  readonly line: number
  readonly email: string
  readonly smart_fields: readonly { readonly smart_field_id: string; readonly value: string | null }[]
  /** The columns of `smart_fields`, in the same order. */
  readonly columns: readonly string[]
  /** All cells of the line, as in the file. */
  readonly cells: readonly string[]
  readonly problem?: string
  readonly problemCode?: LineProblemCode
}

/** An empty cell clears a value only where the file is the directory. Otherwise it says nothing. */
export function mapRow(row: TableRow, { address, targets }: ResolvedMapping, mode: Mode): MappedRow {
  const values = targets.flatMap(({ at, column, field }) => {
    const value = row.cells[at]?.trim() ?? ''
    if (value === '' && mode === 'upsert') return []
    return [{ column, smart_field_id: field.id, value: value === '' ? null : value }]
  })
  return {
    line: row.line,
    email: row.cells[address.at]?.trim() ?? '',
    smart_fields: values.map(({ smart_field_id, value }) => ({ smart_field_id, value })),
    columns: values.map(({ column }) => column),
    cells: row.cells,
    ...(row.problem !== undefined && { problem: row.problem, problemCode: row.problemCode ?? 'invalid' }),
  }
}

/** One line of the report. */
export type RowFailure = Required<Static<typeof ImportFailure>>

/** A problem of the API, or one of a line of the file. */
export type RowProblem = Omit<Detail, 'code'> & { readonly code: Detail['code'] | LineProblemCode }

/** A failure as it is stored: the first of each row has the cells of its line, for the report. */
export interface StoredFailure extends RowFailure {
  readonly cells?: readonly string[]
}

/** Characters of a value that a failure shows. */
const shownValue = 200

/** Problems of one row that are reported. */
export const maxDetails = 5

/** `column` is null for a problem of the whole line. */
export const failureAt = (
  { line, email }: { readonly line: number; readonly email: string },
  column: { readonly name: string; readonly cell: string } | null,
  { code, message }: Pick<RowProblem, 'code' | 'message'>,
): RowFailure => ({
  line,
  email: email.slice(0, 320).toWellFormed() || null,
  column: column?.name ?? null,
  value: column ? column.cell.slice(0, shownValue).toWellFormed() : null,
  code,
  message,
})

/** `failures` are in the order of their lines. */
export function withCells(
  failures: readonly RowFailure[],
  rows: readonly Pick<TableRow, 'line' | 'cells'>[],
): StoredFailure[] {
  const cellsOf = new Map(rows.map(({ line, cells }) => [line, cells]))
  return failures.map((failure, index) => {
    const cells = failures[index - 1]?.line === failure.line ? undefined : cellsOf.get(failure.line)
    return { ...failure, ...(cells && { cells }) }
  })
}

/** The problems of a row, with its columns instead of paths of the API. */
export const failuresOf = (
  { line, email, columns, smart_fields }: MappedRow,
  details: readonly RowProblem[],
  addressColumn: string,
): RowFailure[] =>
  details.slice(0, maxDetails).map(({ field, code, message }) => {
    const [, index] = /^smart_fields\[(\d+)\]/.exec(field) ?? []
    const column =
      field === 'line' ? null : index === undefined ? addressColumn : (columns[Number(index)] ?? null)
    const plain = message.replaceAll(field, column ?? field)
    const cell = index === undefined ? email : (smart_fields[Number(index)]?.value ?? '')
    const position = column === null ? null : { name: column, cell }
    return failureAt({ line, email }, position, { code, message: plain })
  })
