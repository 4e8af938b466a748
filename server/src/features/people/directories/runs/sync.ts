// One run: reads the directory page by page and writes what changed. A process that is killed leaves a running run; the
// next one begins it again, and finds by fingerprints what is written already.
import {
  countSyncFailure,
  findSyncState,
  lockSyncState,
  recordSyncError,
  type SyncState,
} from '#features/workspace/integrations/index.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { RunLost } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import { DirectoryError } from '../directory.ts'
import type { DirectoryRef } from '../queries.ts'
import { connectionOf, contextOf, nextSyncAt } from './connection.ts'
import { finishRun } from './finish.ts'
import { type BegunRun, beginRun, failRun } from './queries.ts'
import { readAll } from './read.ts'

/** A run that needs longer is stopped, and fails. */
const longestRun = 4 * hour
/** Processes that are killed again and again by the same run. */
const maxAttempts = 10

const noCounts = { added: 0, changed: 0, reactivated: 0, deactivated: 0, refused: [] }

/** Errors that pass are shown after so many runs. */
const patience = 3

const saveFailure = (
  db: Db,
  workspaceId: string,
  state: SyncState,
  run: BegunRun,
  { code, message }: { readonly code: string; readonly message: string },
  deps: DirectoryDeps,
): Promise<void> =>
  db.transaction(async tx => {
    const current = (await lockSyncState(tx, workspaceId, state.id)) ?? state
    if (!(await failRun(tx, workspaceId, run.id, code, message)) || run.kind === 'dry') return
    const failures = await countSyncFailure(
      tx,
      workspaceId,
      state.id,
      nextSyncAt(current, deps, run.started_at),
    )
    if (run.import_id !== null)
      await deps.onImportedRun(tx, workspaceId, {
        ...noCounts,
        importId: run.import_id,
        integrationId: state.id,
        error: message,
      })
    if (code !== 'unavailable' || failures >= patience)
      await recordSyncError(tx, workspaceId, state.id, { code, message })
  })

async function failDisconnected(db: Db, workspaceId: string, runId: string): Promise<void> {
  await failRun(db, workspaceId, runId, 'disconnected', 'The directory is not connected.')
}

/** Works on the running run of this integration, if there is one. */
export async function runSync(db: Db, directory: DirectoryRef, deps: DirectoryDeps): Promise<void> {
  const { workspaceId, integrationId } = directory
  const run = await beginRun(db, directory)
  if (!run) return
  const state = await findSyncState(db, workspaceId, integrationId)
  const source = state && deps.directories.get(state.kind)
  if (!state || !source) return failDisconnected(db, workspaceId, run.id)
  if (run.attempt > maxAttempts) {
    const message = `The service was stopped ${maxAttempts} times during this run.`
    return saveFailure(db, workspaceId, state, run, { code: 'unavailable', message }, deps)
  }
  const abort = new AbortController()
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(longestRun)])
  try {
    const context = contextOf(db, workspaceId, state, run, deps)
    const connection = await connectionOf(db, workspaceId, state, deps, signal, run.import_id)
    const since = run.kind === 'dry' ? null : state.cursor
    const read = await readAll(db, context, run, source.read(connection, since))
    await finishRun(
      db,
      { ...context, isUnseen: id => (read.isFull ? !read.people.seen.has(id) : read.people.gone.has(id)) },
      state,
      run,
      read,
      deps,
    )
  } catch (error) {
    if (error instanceof RunLost) {
      // Another process goes on, unless the integration is no directory any more.
      if (!(await findSyncState(db, workspaceId, integrationId)))
        await failDisconnected(db, workspaceId, run.id)
      return
    }
    if (error instanceof DirectoryError) return saveFailure(db, workspaceId, state, run, error, deps)
    throw error
  } finally {
    abort.abort()
  }
}
