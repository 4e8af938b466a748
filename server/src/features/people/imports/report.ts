// The rows that were not imported, as CSV: their problems, or the rows themselves.
import { type CsvShape, csvPieces, csvRow } from '#kernel/base/csv.ts'
import type { Db } from '#kernel/db/db.ts'
import type { RowFailure, StoredFailure } from './mapping.ts'
import { failuresAfter, type StoredImport } from './queries.ts'

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
): AsyncGenerator<readonly StoredFailure[]> {
  for (let n = -1; ; ) {
    const batch = await failuresAfter(db, workspaceId, importId, n)
    if (!batch) return
    yield batch.failures
    n = batch.n
  }
}

export const reportPieces = (db: Db, workspaceId: string, importId: string): AsyncGenerator<string> =>
  csvPieces(columns, failuresOfImport(db, workspaceId, importId))

/** Phone numbers begin with a plus, and must stay as they are to be imported again. */
const shapeOf = ({ delimiter }: Pick<StoredImport, 'delimiter'>): CsvShape => ({
  delimiter: delimiter ?? ',',
  keepsNumbers: true,
})

/** Spreadsheets take it as the sign of UTF-8. */
const byteOrderMark = '\uFEFF'

/** The lines with all cells of the file and the reasons, in its own form: mended, the file can be imported again. */
export async function* rowPieces(
  db: Db,
  workspaceId: string,
  file: Pick<StoredImport, 'id' | 'columns' | 'delimiter'>,
): AsyncGenerator<string> {
  const shape = shapeOf(file)
  const names = file.columns.map(({ name }) => name)
  yield byteOrderMark + csvRow([...names, 'Problem'], shape)
  for await (const failures of failuresOfImport(db, workspaceId, file.id)) {
    const lines = Map.groupBy(failures, ({ line }) => line)
    const rows = [...lines.values()].map(ofLine => {
      const cells = ofLine[0]?.cells ?? []
      const reasons = ofLine.map(({ column, message }) =>
        column === null || message.startsWith(column) ? message : `${column}: ${message}`,
      )
      // A line with too many cells is longer than the first one: the reason stays the last column.
      return csvRow([...names.map((_, at) => cells[at] ?? ''), reasons.join('; ')], shape)
    })
    yield rows.join('')
  }
}
