// The state of a directory's sync, which the integration shows.
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'

export interface SyncState {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly secret: Buffer | null
  readonly drives_teammates: boolean
  readonly cursor: string | null
  readonly last_synced_at: Date | null
  readonly held_run_id: string | null
  readonly sync_error_code: string | null
  readonly sync_failures: number
  readonly is_expansion_due: boolean
}

const columns = sql`
  id, kind, name, settings, secret, drives_teammates, cursor, last_synced_at, held_run_id, sync_error_code, sync_failures,
  is_expansion_due`

const connectedDirectory = (workspaceId: string): Sql =>
  sql`workspace_id = ${workspaceId} and 'directory' = any(capabilities) and deleted_at is null`

export const findSyncState = (db: Db, workspaceId: string, id: string) =>
  db.first<SyncState>(
    sql`select ${columns} from integrations where ${connectedDirectory(workspaceId)} and id = ${id}`,
  )

/** The same, locked: one transaction at a time writes what the directory says, or changes the integration. */
export const lockSyncState = (tx: Db, workspaceId: string, id: string) =>
  tx.first<SyncState>(sql`
    select ${columns} from integrations where ${connectedDirectory(workspaceId)} and id = ${id} for no key update`)

/** True if the directory decides who is a teammate. In a transaction that has locked the integration it stays so. */
export const isDriving = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  (await findSyncState(db, workspaceId, id))?.drives_teammates ?? false

/** The only directory of its kind. In a transaction with `isLocked`, one request at a time changes it. */
export const findDirectoryOfKind = (db: Db, workspaceId: string, kind: string, isLocked = false) =>
  db.value<string>(sql`
    select id from integrations where ${connectedDirectory(workspaceId)} and kind = ${kind}
    ${isLocked ? sql`for no key update` : empty}`)

/** The directory that a request without an id means: the one that drives the teammates, else the oldest one. */
export const findMainDirectory = (db: Db, workspaceId: string, kinds: readonly string[] | 'any') =>
  db.first<SyncState>(sql`
    select ${columns} from integrations where ${connectedDirectory(workspaceId)}
      ${kinds === 'any' ? empty : sql`and kind = any(${kinds}::text[])`}
    order by drives_teammates desc, id limit 1`)

/** Runs that are due, in all workspaces. */
export const dueDirectories = (db: Db, now: Date, limit: number) =>
  db.query<{ readonly workspace_id: string; readonly id: string }>(sql`
    select workspace_id, id from integrations
    where next_sync_at <= ${now} and deleted_at is null and 'directory' = any(capabilities)
    order by next_sync_at limit ${limit}`)

export const setNextSync = (workspaceId: string, id: string, at: Date | null): Sql => sql`
  update integrations set next_sync_at = ${at} where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`

/** The next run reads everything. */
export const forgetCursor = (workspaceId: string, id: string): Sql => sql`
  update integrations set cursor = null where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`

export const bringSyncForward = (workspaceId: string, id: string, at: Date): Sql => sql`
  update integrations set next_sync_at = ${at}
  where workspace_id = ${workspaceId} and id = ${id} and next_sync_at > ${at} and deleted_at is null`

export const markExpansion = (workspaceId: string, id: string, isDue: boolean): Sql => sql`
  update integrations set is_expansion_due = ${isDue}
  where workspace_id = ${workspaceId} and id = ${id} and is_expansion_due <> ${isDue}`

interface SyncOutcome {
  readonly cursor: string | null
  readonly domains: readonly string[] | null
  readonly peopleCount: number
  readonly nextSyncAt: Date | null
  readonly heldRunId: string | null
  readonly endedAt: Date
  /** Settings have changed during the run: the next one reads everything, at the time that the change has set. */
  readonly isOutdated: boolean
}

export const saveSyncOutcome = (workspaceId: string, id: string, outcome: SyncOutcome): Sql => sql`
  update integrations set cursor = ${outcome.isOutdated ? null : outcome.cursor}, domains = coalesce(${outcome.domains}::text[], domains),
    people_count = ${outcome.peopleCount}, last_synced_at = ${outcome.endedAt}, 
    next_sync_at = ${outcome.isOutdated ? sql`coalesce(next_sync_at, ${outcome.nextSyncAt})` : outcome.nextSyncAt},
    held_run_id = ${outcome.heldRunId}, sync_failures = 0
  where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`

/** Outside of runs. `syncedAt` is null when people have left without news of the directory. */
export const savePeopleCount = (
  workspaceId: string,
  id: string,
  count: number,
  syncedAt: Date | null,
): Sql => sql`
  update integrations set people_count = ${count}, last_synced_at = coalesce(${syncedAt}, last_synced_at)
  where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`

/** Directories of these kinds, in all workspaces. */
export const directoriesOfKinds = (db: Db, kinds: readonly string[]) =>
  db.query<{ readonly workspace_id: string; readonly id: string }>(sql`
    select workspace_id, id from integrations
    where kind = any(${kinds}::text[]) and 'directory' = any(capabilities) and drives_teammates and deleted_at is null`)

export const saveHeldRun = (workspaceId: string, id: string, runId: string | null): Sql => sql`
  update integrations set held_run_id = ${runId} where workspace_id = ${workspaceId} and id = ${id}`

export interface SyncError {
  readonly code: string
  readonly message: string
}

/** Null clears the error. Undefined when nothing changed. */
export async function updateSyncError(
  tx: Db,
  workspaceId: string,
  id: string,
  error: SyncError | null,
): Promise<{ readonly kind: string; readonly name: string } | undefined> {
  const now = new Date()
  return tx.first<{ kind: string; name: string }>(sql`
    update integrations set sync_error_code = ${error?.code ?? null}, sync_error_message = ${error?.message ?? null},
      sync_error_since = ${error === null ? sql`null` : sql`coalesce(sync_error_since, ${now})`}, updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
      and (sync_error_code, sync_error_message) is distinct from (${error?.code ?? null}, ${error?.message ?? null})
    returning kind, name`)
}

/** Returns how many runs in a row have failed. */
export const countSyncFailure = (tx: Db, workspaceId: string, id: string, nextSyncAt: Date | null) =>
  tx.number(sql`
    update integrations set sync_failures = sync_failures + 1, next_sync_at = ${nextSyncAt}
    where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
    returning sync_failures`)
