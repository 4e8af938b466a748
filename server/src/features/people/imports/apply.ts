// Works an import off: each batch in one transaction together with its progress, so that a process that is killed loses
// nothing and repeats nothing.

import {
  importTeammates,
  planImport,
  setActive,
  type TeammateWriteDeps,
} from '#features/people/teammates/index.ts'
import { refuseIfManagedByDirectory } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { FreeSeats, lockFreeSeats, readFreeSeats } from '#features/workspace/workspaces/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { needsConfirmation } from './leavers.ts'
import {
  failuresOf,
  type MappedRow,
  mapRow,
  type ResolvedMapping,
  type RowFailure,
  resolveMapping,
  withCells,
} from './mapping.ts'
import {
  addAddresses,
  addDeactivated,
  countActivePeople,
  countLeavers,
  endImport,
  hasAddresses,
  type LockedImport,
  lockImport,
  nextBatch,
  saveBatch,
  someLeavers,
  useAddresses,
} from './queries.ts'
import {
  addressKeysOf,
  asTeammate,
  duplicateDetail,
  lineDetail,
  mappedBatches,
  splitRows,
  unpackRows,
} from './rows.ts'
import { seatInactive } from './seats.ts'

const callerOf = (
  workspaceId: string,
  { member_id, api_key_id, session_id, request_id, via }: LockedImport,
): Caller => ({
  ...operator(workspaceId),
  actorId: member_id,
  apiKeyId: api_key_id,
  sessionId: session_id,
  requestId: request_id,
  via,
})

/** People who become inactive in one transaction. */
const leaversAtOnce = 500

/** Numbers of processed rows before and after one part of an import. */
export interface ImportProgress {
  readonly before: number
  readonly after: number
}

/** Does the next part of an import. Null when there is nothing left to do. */
export const continueImport = (
  db: Db,
  workspaceId: string,
  id: string,
  deps: TeammateWriteDeps,
): Promise<ImportProgress | null> =>
  db.transaction(async tx => {
    const locked = await lockImport(tx, workspaceId, id)
    if (locked?.state !== 'running') return null
    const { processed_count: before } = locked
    const by = callerOf(workspaceId, locked)
    if (before === 0 && locked.mode === 'directory' && (await freeSeats(tx, by, locked, deps)))
      return { before, after: before }
    const batch = await nextBatch(tx, workspaceId, id)
    if (batch) return { before, after: before + (await importBatch(tx, by, locked, batch, deps)) }
    if (locked.mode === 'directory' && (await deactivateSome(tx, by, locked, deps, 'All rows were imported')))
      return { before, after: before }
    await endImport(tx, by, id, null)
    return null
  })

/**
 * With a seat limit, people who are not in the file become inactive before its first row is imported: their seats are for
 * people who are new. Without one they become inactive after the last row, so that an import that fails makes no
 * person inactive. False when nothing of it is left to do.
 */
async function freeSeats(
  tx: Db,
  by: Caller,
  locked: LockedImport,
  deps: TeammateWriteDeps,
): Promise<boolean> {
  const { limit } = await readFreeSeats(tx, by.workspaceId)
  if (limit === Number.POSITIVE_INFINITY) return false
  if (await hasAddresses(tx, by.workspaceId, locked.id))
    return deactivateSome(tx, by, locked, deps, 'No row was imported')
  const resolved = resolveMapping(
    locked.mapping ?? {},
    locked.columns,
    await smartFieldsOf(tx, by.workspaceId),
  )
  for await (const rows of mappedBatches(tx, by.workspaceId, locked, row =>
    mapRow(row, resolved, 'directory'),
  ))
    await addAddresses(tx, by.workspaceId, locked.id, addressKeysOf(rows))
  return hasAddresses(tx, by.workspaceId, locked.id)
}

/** Returns the number of its rows. */
async function importBatch(
  tx: Db,
  by: Caller,
  { id, mapping, mode, columns }: LockedImport,
  batch: { readonly n: number; readonly rows: Buffer },
  deps: TeammateWriteDeps,
): Promise<number> {
  const resolved = resolveMapping(mapping ?? {}, columns, await smartFieldsOf(tx, by.workspaceId))
  const rows = (await unpackRows(batch.rows)).map(row => mapRow(row, resolved, mode ?? 'upsert'))
  const { usable, misread, duplicates } = await splitRows(rows, keys =>
    useAddresses(tx, by.workspaceId, id, keys),
  )
  await addAddresses(tx, by.workspaceId, id, addressKeysOf(misread))
  const seats = await lockFreeSeats(tx, by.workspaceId)
  const { returning, seated, unseated } =
    mode === 'directory'
      ? await seatInactive(tx, by.workspaceId, usable, seats)
      : { returning: [], seated: usable, unseated: [] }
  const reactivated = returning.length === 0 ? [] : await setActive(tx, by, returning, true, deps)
  const { failures, ...counts } = await importRows(tx, by, seated, resolved, deps)
  const { column } = resolved.address
  const allFailures = [
    ...failures,
    ...misread.flatMap(row => failuresOf(row, [lineDetail(row)], column)),
    ...duplicates.flatMap(row => failuresOf(row, [duplicateDetail(row)], column)),
    ...unseated.flatMap(row => failuresOf(row, [seats.problem], column)),
  ].sort((a, b) => a.line - b.line)
  const failed = counts.failed + misread.length + duplicates.length + unseated.length
  await saveBatch(
    tx,
    by.workspaceId,
    id,
    batch.n,
    { ...counts, failed, processed: rows.length, reactivated: reactivated.length },
    withCells(allFailures, rows),
  )
  return rows.length
}

/** Rows that change nothing are left out: they cause no audit entries, events and deliveries. */
async function importRows(
  tx: Db,
  by: Caller,
  rows: readonly MappedRow[],
  { address }: ResolvedMapping,
  deps: TeammateWriteDeps,
) {
  // Only unchanged rows are of interest here: the import itself gives the seats.
  const planned = await planImport(tx, by, rows.map(asTeammate), deps.publicUrl, new FreeSeats(undefined))
  const unchanged = new Set(planned.filter(row => row.outcome === 'unchanged').map(row => row.index))
  const changing = rows.filter((_, index) => !unchanged.has(index))
  if (changing.length === 0)
    return { created: 0, updated: 0, unchanged: unchanged.size, failed: 0, failures: [] }
  const result = await importTeammates(tx, by, changing.map(asTeammate), deps)
  const failures = result.failed.flatMap(({ index, details }): RowFailure[] => {
    const row = changing[index]
    return row ? failuresOf(row, details, address.column) : []
  })
  const { created, updated } = result
  return { created, updated, unchanged: unchanged.size, failed: result.failed.length, failures }
}

/** False when all people who are not in the file are inactive. */
async function deactivateSome(
  tx: Db,
  by: Caller,
  { id, confirmed, started_at }: LockedImport,
  deps: TeammateWriteDeps,
  rowsSoFar: string,
): Promise<boolean> {
  const startedAt = started_at ?? new Date(0)
  const leaving = await countLeavers(tx, by.workspaceId, id, startedAt)
  if (leaving === 0) return false
  await refuseIfManagedByDirectory(tx, by, deps.publicUrl)
  // People can have changed since the request was checked.
  const active = await countActivePeople(tx, by.workspaceId)
  if (leaving > (confirmed ?? 0) && needsConfirmation(leaving, active))
    throw apiError('deactivations_not_confirmed', {
      message: `${rowsSoFar}, but ${leaving} of ${active} active people are not in the file. None of them was switched off: apply the import again with "confirm": ${leaving}.`,
    })
  const ids = await someLeavers(tx, by.workspaceId, id, startedAt, leaversAtOnce)
  const changed = await setActive(tx, by, ids, false, deps)
  await addDeactivated(tx, by.workspaceId, id, changed.length)
  return changed.length > 0
}

/** The import stops, and can be applied again. What was imported stays. */
export const failImport = (db: Db, workspaceId: string, id: string, message: string): Promise<void> =>
  db.transaction(async tx => {
    const locked = await lockImport(tx, workspaceId, id)
    if (locked?.state === 'running') await endImport(tx, callerOf(workspaceId, locked), id, message)
  })
