// Begins and approves runs, and ends those of a directory that is disconnected.

import { releaseTeammates } from '#features/people/teammates/index.ts'
import {
  directorySettingsOf,
  findMainDirectory,
  findSyncState,
  forgetCursor,
  lockSyncState,
  recordSyncError,
  type SyncState,
  saveHeldRun,
  setNextSync,
} from '#features/workspace/integrations/index.ts'
import { clearMappings } from '#features/workspace/smart-fields/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { minute } from '#kernel/base/durations.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import { type Db, isViolation } from '#kernel/db/db.ts'
import type { Directories } from '../directory.ts'
import { enqueueApproval, enqueueSync } from '../enqueue.ts'
import { forgetDirectory } from '../people/queries.ts'
import { approveRun, failRunsOf, findRun, insertRun, type NewRun, type RunView } from './queries.ts'
import type { SyncRequest } from './schemas.ts'

export interface SyncRuleDeps {
  readonly directories: Directories
  readonly publicUrl: string
  /** The kinds whose directories can be read by request. */
  readonly kinds: readonly string[]
  /** The first problem of a directory whose access was lost; null when it works again. */
  readonly accessProblem: (db: Db, by: Caller, integrationId: string) => Promise<string | null>
}

const connectAgain = (publicUrl: string, message: string) => ({
  action: 'connect_integration' as const,
  dashboard_url: `${publicUrl}/integrations`,
  message,
})

const cannotBeRead = ({ name }: SyncState): string => `${name} sends its changes itself, so it cannot be read`

/** The directory that a request is about. */
export async function directoryFor(
  db: Db,
  by: Caller,
  integrationId: string | undefined,
  { kinds, publicUrl }: Pick<SyncRuleDeps, 'kinds' | 'publicUrl'>,
): Promise<SyncState> {
  if (integrationId !== undefined) {
    const state = await findSyncState(db, by.workspaceId, integrationId)
    if (!state) throw invalid('integration_id', 'unknown_reference')
    if (kinds.includes(state.kind)) return state
    throw invalid('integration_id', 'invalid', { message: `integration_id: ${cannotBeRead(state)}` })
  }
  const state = await findMainDirectory(db, by.workspaceId, kinds)
  if (state) return state
  const remediation = connectAgain(publicUrl, 'Connect a directory first, such as Google Workspace.')
  const other = await findMainDirectory(db, by.workspaceId, 'any')
  throw apiError('no_integration_to_sync', {
    remediation,
    ...(other && { message: `No directory is connected that can be read: ${cannotBeRead(other)}.` }),
  })
}

/** Asks a directory that has refused access again, before a run, because an admin can have granted it. */
export async function refuseLostAccess(
  db: Db,
  by: Caller,
  state: SyncState,
  { accessProblem, publicUrl }: SyncRuleDeps,
): Promise<void> {
  if (state.sync_error_code !== 'access_lost') return
  const problem = await accessProblem(db, by, state.id)
  if (problem !== null)
    throw apiError('integration_access_lost', { remediation: connectAgain(publicUrl, problem) })
}

/** Throws `sync_already_running`. Returns the id of the run. */
export async function startRun(tx: Db, by: Caller, run: NewRun): Promise<string> {
  const id = await tx
    .transaction(inner => insertRun(inner, by, run))
    .catch(error => {
      throw isViolation(error, 'sync_runs_one_running') ? apiError('sync_already_running') : error
    })
  await tx.query(enqueueSync({ workspaceId: by.workspaceId, integrationId: run.integrationId }))
  return id
}

/** A delta where the directory has a cursor. The first page of the run corrects it. */
function runKindOf({ kind, cursor }: SyncState, directories: Directories, isDry = false): NewRun['kind'] {
  if (isDry) return 'dry'
  return cursor === null || directories.get(kind)?.isAlwaysFull ? 'full' : 'delta'
}

/** `isFull`: the run reads everything, whatever the run before has remembered. So does a dry run. */
export const requestSync = (
  db: Db,
  by: Caller,
  { integration_id, dry_run = false }: SyncRequest,
  deps: SyncRuleDeps,
  isFull = false,
): Promise<RunView> =>
  db.transaction(async tx => {
    const stored = await directoryFor(tx, by, integration_id, deps)
    const state = isFull ? { ...stored, cursor: null } : stored
    if (isFull && !dry_run) await tx.query(forgetCursor(by.workspaceId, state.id))
    const kind = runKindOf(state, deps.directories, dry_run)
    const run = { integrationId: state.id, kind, trigger: 'request' as const }
    const id = await startRun(tx, by, run)
    return orNotFound(await findRun(tx, by.workspaceId, id))
  })

/** Starts the run of the schedule. A run that is still running is enough. */
export const startScheduledRun = (
  db: Db,
  by: Caller,
  integrationId: string,
  directories: Directories,
): Promise<void> =>
  db.transaction(async tx => {
    const state = await findSyncState(tx, by.workspaceId, integrationId)
    if (!state) return
    const { syncMinutes } = directorySettingsOf(state.settings)
    // The end of the run sets the exact time; this one counts if the run is lost.
    const next = syncMinutes === null ? null : new Date(Date.now() + syncMinutes * minute)
    await tx.query(setNextSync(by.workspaceId, integrationId, next))
    const kind = runKindOf(state, directories)
    await startRun(tx, by, { integrationId, kind, trigger: 'schedule' }).catch(error => {
      if (error.code !== 'sync_already_running') throw error
    })
  })

/** Lets exactly those people leave that the run lists as held. */
export const approveHeldRun = (db: Db, by: Caller, id: string): Promise<RunView> =>
  db.transaction(async tx => {
    const run = orNotFound(await findRun(tx, by.workspaceId, id))
    // Before the run, as batches of runs do.
    await lockSyncState(tx, by.workspaceId, run.integration_id)
    if (!(await approveRun(tx, by, id))) {
      const state = await findSyncState(tx, by.workspaceId, run.integration_id)
      const later = state?.held_run_id && state.held_run_id !== id ? ` The run ${state.held_run_id} is.` : ''
      throw apiError('already_decided', { message: `This run does not wait for an approval.${later}` })
    }
    await tx.query(saveHeldRun(by.workspaceId, run.integration_id, null))
    await recordSyncError(tx, by.workspaceId, run.integration_id, null)
    await tx.query(enqueueApproval({ workspaceId: by.workspaceId, integrationId: run.integration_id }, id))
    return orNotFound(await findRun(tx, by.workspaceId, id))
  })

/** The directory is disconnected: its people become manual teammates, and none of them is deleted. */
export async function releaseDirectory(tx: Db, by: Caller, integrationId: string): Promise<void> {
  const directory = { workspaceId: by.workspaceId, integrationId }
  await tx.query(failRunsOf(directory))
  await releaseTeammates(tx, by, integrationId)
  await clearMappings(tx, by, integrationId)
  for (const statement of forgetDirectory(directory)) await tx.query(statement)
}
