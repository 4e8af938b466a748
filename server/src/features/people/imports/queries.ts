import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { RowFailure, StoredFailure } from './mapping.ts'
import type { ReadFile } from './reading/read-table.ts'
import type { ColumnMapping, LineProblem, TableColumn, TableRow } from './reading/table.ts'
import type { importStates, Mode } from './schemas.ts'

type ImportState = (typeof importStates)[number]

export interface StoredImport {
  readonly id: string
  /** Null for a spreadsheet. */
  readonly delimiter: string | null
  readonly state: ImportState
  readonly mode: Mode | null
  readonly mapping: ColumnMapping | null
  readonly columns: readonly TableColumn[]
  readonly first_rows: readonly Pick<TableRow, 'line' | 'cells'>[]
  readonly problems: readonly LineProblem[]
  readonly row_count: number
  readonly failures: readonly RowFailure[]
}

/** Personal data is not kept longer than this. */
const keptFor = sql`interval '7 days'`

const summary = sql`
  i.id, i.file_name, i.format, i.encoding, i.delimiter, i.state, i.mode, i.row_count, i.problem_count, i.processed_count,
  i.created_count, i.updated_count, i.unchanged_count, i.failed_count, i.deactivated_count, i.reactivated_count, i.error,
  ${iso(sql`i.started_at`)} as started_at, ${iso(sql`i.finished_at`)} as finished_at,
  ${iso(sql`(i.created_at + ${keptFor})`)} as expires_at, ${iso(sql`i.created_at`)} as created_at,
  ${iso(sql`i.updated_at`)} as updated_at`

const shape = (workspaceId: string): Sql => sql`
  ${summary}, i.columns, i.guessed_mapping, i.mapping, i.first_rows, i.problems,
  (select coalesce(json_agg(failure), '[]') from (
    select failure - 'cells' as failure from import_batches b, jsonb_array_elements(b.failures) failure
    where b.workspace_id = ${workspaceId} and b.import_id = i.id and b.failures <> '[]'
    order by b.n limit 50) first) as failures`

/** Also hides what the scheduled job has not deleted yet. */
const living = (workspaceId: string): Sql =>
  sql`i.workspace_id = ${workspaceId} and i.created_at > now() - ${keptFor}`

export const listImports = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listRows(db, page, summary, sql`from imports i where ${living(workspaceId)}`, sql`order by i.id desc`)

export const findImport = (db: Db, workspaceId: string, id: string) =>
  db.first<StoredImport>(
    sql`select ${shape(workspaceId)} from imports i where ${living(workspaceId)} and i.id = ${id}`,
  )

export interface LockedImport
  extends Pick<StoredImport, 'id' | 'state' | 'mode' | 'mapping' | 'columns' | 'row_count'> {
  readonly confirmed: number | null
  readonly processed_count: number
  readonly started_at: Date | null
  readonly member_id: string | null
  readonly api_key_id: string | null
  readonly session_id: string | null
  readonly request_id: string | null
  readonly via: Caller['via']
}

/** One transaction at a time changes an import. */
export const lockImport = (tx: Db, workspaceId: string, id: string) =>
  tx.first<LockedImport>(sql`
    select i.id, i.state, i.mode, i.mapping, i.columns, i.row_count, i.confirmed, i.processed_count, i.started_at, i.member_id,
      i.api_key_id, i.session_id, i.request_id, i.via
    from imports i where ${living(workspaceId)} and i.id = ${id}
    for update`)

/** Inserts an import with its rows. Returns its id. */
export async function insertImport(
  tx: Db,
  by: Caller,
  file: ReadFile,
  fileName: string | null,
): Promise<string> {
  const { id, now } = newRow()
  const insert = sql`
    insert into imports (workspace_id, id, file_name, format, encoding, delimiter, columns, guessed_mapping, first_rows,
      row_count, problems, problem_count, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${fileName}, ${file.format}, ${file.encoding}, ${file.delimiter},
      ${JSON.stringify(file.columns)}, ${JSON.stringify(file.guessedMapping)},
      ${JSON.stringify(file.firstRows.map(({ line, cells }) => ({ line, cells })))}, ${file.rowCount},
      ${JSON.stringify(file.problems)}, ${file.problemCount}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'import.created', id, insert))
  // One statement per batch: all of them together can have some megabytes.
  for (const [n, batch] of file.batches.entries())
    await tx.query(sql`
      insert into import_batches (workspace_id, import_id, n, rows)
      values (${by.workspaceId}, ${id}, ${n}, ${Buffer.from(batch)})`)
  return id
}

/** The compressed rows of the first batch from `n` on. */
export const findBatch = (db: Db, workspaceId: string, importId: string, n: number) =>
  db.first<{ readonly n: number; readonly rows: Buffer }>(sql`
    select n, rows from import_batches
    where workspace_id = ${workspaceId} and import_id = ${importId} and n >= ${n} and rows is not null
    order by n limit 1`)

/** The first batch that is not processed yet. */
export const nextBatch = (tx: Db, workspaceId: string, importId: string) =>
  tx.first<{ readonly n: number; readonly rows: Buffer }>(sql`
    select n, rows from import_batches
    where workspace_id = ${workspaceId} and import_id = ${importId} and not is_done and rows is not null
    order by n limit 1`)

interface ImportStart {
  readonly mapping: ColumnMapping
  readonly mode: Mode
  readonly confirmed: number | null
}

/** Begins the import, from its first row. */
export async function beginImport(
  tx: Db,
  by: Caller,
  id: string,
  { mapping, mode, confirmed }: ImportStart,
): Promise<void> {
  const now = new Date()
  const begin = sql`
    update imports set state = 'running', mapping = ${JSON.stringify(mapping)}, mode = ${mode}, confirmed = ${confirmed},
      attempts = 0, processed_count = 0, created_count = 0, updated_count = 0, unchanged_count = 0, failed_count = 0,
      deactivated_count = 0, reactivated_count = 0, error = null, member_id = ${by.actorId}, api_key_id = ${by.apiKeyId},
      session_id = ${by.sessionId}, request_id = ${by.requestId}, via = ${by.via}, started_at = ${now},
      finished_at = null, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, 'import.applied', begin))
  await tx.query(sql`
    update import_batches set is_done = false, failures = '[]'
    where workspace_id = ${by.workspaceId} and import_id = ${id}`)
  await tx.query(deleteAddresses(by.workspaceId, id))
}

/** Marks addresses as used by a row. Returns those that no earlier row has used. `keys` are distinct. */
export async function useAddresses(
  tx: Db,
  workspaceId: string,
  importId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const added = await tx.column<string>(sql`
    insert into import_addresses as a (workspace_id, import_id, address_key, is_used)
    select ${workspaceId}::uuid, ${importId}::uuid, key, true from unnest(${keys}::text[]) key
    on conflict (workspace_id, import_id, address_key) do update set is_used = true where not a.is_used
    returning address_key`)
  return new Set(added)
}

/** Addresses of lines that are not imported, or not yet: these people are not missing from the file. */
export const addAddresses = (tx: Db, workspaceId: string, importId: string, keys: readonly string[]) =>
  tx.query(sql`
    insert into import_addresses (workspace_id, import_id, address_key, is_used)
    select ${workspaceId}::uuid, ${importId}::uuid, key, false from unnest(${keys}::text[]) key
    on conflict do nothing`)

export const hasAddresses = (tx: Db, workspaceId: string, importId: string) =>
  tx.hasRows(sql`
    select from import_addresses where workspace_id = ${workspaceId} and import_id = ${importId} limit 1`)

const deleteAddresses = (workspaceId: string, importId: string): Sql =>
  sql`delete from import_addresses where workspace_id = ${workspaceId} and import_id = ${importId}`

interface BatchCounts {
  readonly processed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly reactivated: number
}

export async function saveBatch(
  tx: Db,
  workspaceId: string,
  importId: string,
  n: number,
  counts: BatchCounts,
  failures: readonly StoredFailure[],
): Promise<void> {
  await tx.query(sql`
    update import_batches set is_done = true, failures = ${JSON.stringify(failures)}
    where workspace_id = ${workspaceId} and import_id = ${importId} and n = ${n}`)
  await tx.query(sql`
    update imports set attempts = 0, processed_count = processed_count + ${counts.processed},
      created_count = created_count + ${counts.created}, updated_count = updated_count + ${counts.updated},
      unchanged_count = unchanged_count + ${counts.unchanged}, failed_count = failed_count + ${counts.failed},
      reactivated_count = reactivated_count + ${counts.reactivated}, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${importId}`)
}

/** The failures of the rows of one batch. */
export const saveFailures = (
  workspaceId: string,
  importId: string,
  n: number,
  failures: readonly StoredFailure[],
): Sql => sql`
  update import_batches set failures = ${JSON.stringify(failures)}
  where workspace_id = ${workspaceId} and import_id = ${importId} and n = ${n}`

export const addDeactivated = (tx: Db, workspaceId: string, importId: string, amount: number) =>
  tx.query(sql`
    update imports set deactivated_count = deactivated_count + ${amount}, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${importId}`)

/** The counts of the run that has read the file. */
export const saveRunCounts = (
  workspaceId: string,
  run: {
    readonly importId: string
    readonly error: string | null
    readonly failed: number
    readonly added: number
    readonly changed: number
    readonly reactivated: number
    readonly deactivated: number
  },
): Sql => sql`
  update imports set processed_count = row_count, created_count = ${run.added}, updated_count = ${run.changed},
    failed_count = ${run.failed}, reactivated_count = ${run.reactivated}, deactivated_count = ${run.deactivated},
    unchanged_count = case when ${run.error === null} then
      greatest(0, row_count - ${run.added + run.changed + run.failed}) else 0 end
  where workspace_id = ${workspaceId} and id = ${run.importId}`

/** Ends the import, and deletes what only a running import needs. `error` is null when it succeeded. */
export async function endImport(tx: Db, by: Caller, id: string, error: string | null): Promise<void> {
  const now = new Date()
  const end = sql`
    update imports set state = ${error === null ? 'done' : 'failed'}, error = ${error}, finished_at = ${now},
      updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, error === null ? 'import.finished' : 'import.failed', end))
  await tx.query(deleteAddresses(by.workspaceId, id))
  // A failed import can be applied again.
  if (error === null)
    await tx.query(
      sql`update import_batches set rows = null where workspace_id = ${by.workspaceId} and import_id = ${id}`,
    )
}

/** Returns how many times in a row the service has failed. */
export const countAttempt = (db: Db, workspaceId: string, id: string) =>
  db.number(sql`
    update imports set attempts = attempts + 1
    where workspace_id = ${workspaceId} and id = ${id}
    returning attempts`)

/** Active people who existed when the import began, and none of whose addresses is in the file. */
const leavers = (workspaceId: string, importId: string, startedAt: Date): Sql => sql`
  from teammates t
  where t.workspace_id = ${workspaceId} and t.deleted_at is null and t.active and t.created_at <= ${startedAt}
    and not exists (
      select from emails e
      join import_addresses a on a.workspace_id = e.workspace_id and a.import_id = ${importId}
        and a.address_key = e.address_key
      where e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.deleted_at is null)`

export const countLeavers = (db: Db, workspaceId: string, importId: string, startedAt: Date) =>
  db.number(sql`select count(*)::int as n ${leavers(workspaceId, importId, startedAt)}`)

export const someLeavers = (tx: Db, workspaceId: string, importId: string, startedAt: Date, limit: number) =>
  tx.column<string>(
    sql`select t.id ${leavers(workspaceId, importId, startedAt)} order by t.id limit ${limit}`,
  )

export const countActivePeople = (db: Db, workspaceId: string) =>
  db.number(sql`
    select count(*)::int as n from teammates
    where workspace_id = ${workspaceId} and deleted_at is null and active`)

/** People in the order of their ids. */
export const activePeopleAfter = (db: Db, workspaceId: string, after: string, limit: number) =>
  db.query<{ readonly teammate_id: string; readonly email: string }>(sql`
    select t.id as teammate_id, e.address as email from teammates t
    join emails e on e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.is_primary and e.deleted_at is null
    where t.workspace_id = ${workspaceId} and t.deleted_at is null and t.active and t.id > ${after}
    order by t.id limit ${limit}`)

/** The failures of one batch after `n`, for the report. */
export const failuresAfter = (db: Db, workspaceId: string, importId: string, n: number) =>
  db.first<{ readonly n: number; readonly failures: readonly StoredFailure[] }>(sql`
    select n, failures from import_batches
    where workspace_id = ${workspaceId} and import_id = ${importId} and n > ${n} and failures <> '[]'
    order by n limit 1`)

export async function removeImport(db: Db, by: Caller, id: string): Promise<boolean> {
  const remove = sql`delete from imports i where ${living(by.workspaceId)} and i.id = ${id} returning i.id`
  return db.hasRows(audited(by, 'import.deleted', remove))
}

export const deleteExpiredImports = (): Sql => sql`delete from imports where created_at <= now() - ${keptFor}`
