// The stored rows of a file, batch by batch.
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { isEmailAddress } from '#kernel/api/validation.ts'
import { apiError, type Detail, detail } from '#kernel/base/errors.ts'
import { yieldToEventLoop } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { MappedRow, RowProblem } from './mapping.ts'
import { findBatch, type StoredImport } from './queries.ts'
import type { TableRow } from './reading/table.ts'

const unpack = promisify(inflate)

/** An import whose rows are stored. */
type StoredRows = Pick<StoredImport, 'id' | 'row_count'>

export const unpackRows = async (rows: Buffer): Promise<readonly TableRow[]> =>
  JSON.parse((await unpack(rows)).toString())

/**
 * The rows of a file, some hundred at a time. Throws `not_found` when the import is deleted meanwhile: the rest of the
 * rows must not look like the end of the file.
 */
export async function* numberedBatches(
  db: Db,
  workspaceId: string,
  { id, row_count }: StoredRows,
): AsyncGenerator<{ readonly n: number; readonly rows: readonly TableRow[] }> {
  let [n, read] = [0, 0]
  while (read < row_count) {
    const batch = await findBatch(db, workspaceId, id, n)
    if (!batch) throw apiError('not_found')
    const rows = await unpackRows(batch.rows)
    read += rows.length
    yield { n: batch.n, rows }
    await yieldToEventLoop()
    n = batch.n + 1
  }
}

export async function* tableBatches(
  db: Db,
  workspaceId: string,
  stored: StoredRows,
): AsyncGenerator<readonly TableRow[]> {
  for await (const { rows } of numberedBatches(db, workspaceId, stored)) yield rows
}

export async function* mappedBatches(
  db: Db,
  workspaceId: string,
  stored: StoredRows,
  map: (row: TableRow) => MappedRow,
): AsyncGenerator<readonly MappedRow[]> {
  for await (const rows of tableBatches(db, workspaceId, stored)) yield rows.map(map)
}

/** Blank for a text that is no address: a cell can have 5,000 characters, and an index of PostgreSQL cannot. */
const addressKeyOf = ({ email }: MappedRow): string => (isEmailAddress(email) ? comparisonKey(email) : '')

/** Distinct, without blank ones. */
export const addressKeysOf = (rows: readonly MappedRow[]): string[] => [
  ...new Set(rows.map(addressKeyOf).filter(key => key !== '')),
]

interface SplitRows {
  readonly usable: readonly MappedRow[]
  /** Lines whose cells cannot be trusted. */
  readonly misread: readonly MappedRow[]
  /** Their addresses are in earlier rows. */
  readonly duplicates: readonly MappedRow[]
}

/** `useKeys` marks addresses as used, and returns those that no earlier batch has used. */
export async function splitRows(
  rows: readonly MappedRow[],
  useKeys: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<SplitRows> {
  const misread = rows.filter(row => row.problem !== undefined)
  const sound = rows.filter(row => row.problem === undefined)
  const free = new Set(await useKeys(addressKeysOf(sound)))
  // A row without an address is not a duplicate: the import names its problem.
  const isUsable = (row: MappedRow): boolean => addressKeyOf(row) === '' || free.delete(addressKeyOf(row))
  const { usable = [], duplicates = [] } = Object.groupBy(sound, row =>
    isUsable(row) ? 'usable' : 'duplicates',
  )
  return { usable, misread, duplicates }
}

export const lineDetail = ({ problem = '', problemCode = 'invalid' }: MappedRow): RowProblem => ({
  field: 'line',
  code: problemCode,
  message: problem,
})

export const duplicateDetail = ({ email }: MappedRow): Detail =>
  detail('email', 'duplicate', { message: `${email} is in an earlier line too` })

/** A row as `POST /v1/teammates/import` takes it. */
export const asTeammate = ({ email, smart_fields }: MappedRow): object => ({ email, smart_fields })
