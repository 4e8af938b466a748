// The rows that were not imported, as CSV.
import { csvPieces } from '#kernel/csv.ts'
import type { Db } from '#kernel/db.ts'
import type { RowFailure } from './mapping.ts'
import { failuresAfter } from './queries.ts'

const columns = [
  'line',
  'email',
  'column',
  'code',
  'message',
] as const satisfies readonly (keyof RowFailure)[]

async function* failuresOfImport(
  db: Db,
  workspaceId: string,
  importId: string,
): AsyncGenerator<readonly RowFailure[]> {
  for (let n = -1; ; ) {
    const batch = await failuresAfter(db, workspaceId, importId, n)
    if (!batch) return
    yield batch.failures
    n = batch.n
  }
}

export const reportPieces = (db: Db, workspaceId: string, importId: string): AsyncGenerator<string> =>
  csvPieces(columns, failuresOfImport(db, workspaceId, importId))
