// The rows that the run of a file did not take, as failures of its import.
import type { RefusedLine } from '#features/people/directories/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { addressColumnOf, failureAt, maxDetails, type RowFailure, withCells } from './mapping.ts'
import { type LockedImport, saveFailures } from './queries.ts'
import type { TableRow } from './reading/table.ts'
import { numberedBatches } from './rows.ts'

interface FileColumns {
  readonly names: readonly string[]
  readonly address: string | undefined
}

function failuresOfRow(
  row: TableRow,
  problems: readonly RefusedLine[],
  { names, address }: FileColumns,
): RowFailure[] {
  const cellOf = (name: string | undefined): string =>
    name === undefined ? '' : (row.cells[names.indexOf(name)]?.trim() ?? '')
  const position = { line: row.line, email: cellOf(address) }
  return problems.slice(0, maxDetails).map(({ kind, field, message }) => {
    if (row.problem !== undefined)
      return failureAt(position, null, { code: row.problemCode ?? 'invalid', message: row.problem })
    const name = field === 'address' ? address : field
    const column = name != null && names.includes(name) ? { name, cell: cellOf(name) } : null
    return failureAt(position, column, { code: kind === 'conflict' ? 'duplicate' : 'invalid', message })
  })
}

/** The failures of each batch with a refused line, in the order of the file. */
export async function* refusedBatches(
  db: Db,
  workspaceId: string,
  file: Pick<LockedImport, 'id' | 'columns' | 'row_count' | 'mapping'>,
  refused: readonly RefusedLine[],
): AsyncGenerator<{
  readonly n: number
  readonly rows: readonly TableRow[]
  readonly failures: readonly RowFailure[]
}> {
  if (refused.length === 0) return
  const byLine = Map.groupBy(refused, ({ line }) => line)
  const columns = {
    names: file.columns.map(({ name }) => name),
    address: addressColumnOf(file.mapping ?? {}, await smartFieldsOf(db, workspaceId)),
  }
  for await (const { n, rows } of numberedBatches(db, workspaceId, file)) {
    const failures = rows.flatMap(row => failuresOfRow(row, byLine.get(row.line) ?? [], columns))
    if (failures.length > 0) yield { n, rows, failures }
  }
}

export const countRefused = (refused: readonly RefusedLine[]): number =>
  new Set(refused.map(({ line }) => line)).size

/** Returns the number of rows. The import is locked: its rows are there until the transaction ends. */
export async function saveRefusedRows(
  tx: Db,
  workspaceId: string,
  locked: LockedImport,
  refused: readonly RefusedLine[],
): Promise<number> {
  for await (const { n, rows, failures } of refusedBatches(tx, workspaceId, locked, refused))
    await tx.query(saveFailures(workspaceId, locked.id, n, withCells(failures, rows)))
  return countRefused(refused)
}
