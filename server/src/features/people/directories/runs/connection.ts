// Everything that a run needs before its first page, and when the next one begins.
import { directorySettingsOf, entitiesOf, type SyncState } from '#features/workspace/integrations/index.ts'
import { type Caller, operator } from '#kernel/api/scopes.ts'
import { minute } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import { type SyncContext, writerOf } from '../context.ts'
import type { DirectoryDeps } from '../deps.ts'
import { type DirectoryConnection, DirectoryError } from '../directory.ts'
import { type BegunRun, holdsRun } from './queries.ts'

export const directoryCaller = (
  workspaceId: string,
  integrationId: string,
  run: Partial<BegunRun>,
): Caller => ({
  ...operator(workspaceId),
  directoryId: integrationId,
  actorId: run.member_id ?? null,
  apiKeyId: run.api_key_id ?? null,
  sessionId: run.session_id ?? null,
  requestId: run.request_id ?? null,
  via: run.via ?? null,
})

export function contextOf(
  db: Db,
  workspaceId: string,
  state: SyncState,
  run: BegunRun,
  { onPeopleChange }: Pick<DirectoryDeps, 'onPeopleChange'>,
): SyncContext {
  const isOwn = (tx: Db) => holdsRun(tx, workspaceId, run)
  return {
    workspaceId,
    integrationId: state.id,
    by: directoryCaller(workspaceId, state.id, run),
    onPeopleChange,
    isUnseen: () => false,
    write: writerOf(db, { workspaceId, integrationId: state.id, isOwn, isDry: run.kind === 'dry' }),
  }
}

type SecretOpener = Pick<DirectoryDeps, 'openSecret'>

/** The secret, or an error that an admin can correct. */
async function openSecret(state: SyncState, deps: SecretOpener): Promise<string | null> {
  if (!state.secret) return null
  return deps.openSecret(state.secret, state.id).catch(error => {
    throw new DirectoryError('access_lost', (error as Error).message)
  })
}

export async function connectionOf(
  db: Db,
  workspaceId: string,
  state: SyncState,
  deps: SecretOpener,
  signal: AbortSignal,
  importId: string | null = null,
): Promise<DirectoryConnection> {
  const entities = await entitiesOf(db, workspaceId, state.id)
  return {
    db,
    workspaceId,
    integrationId: state.id,
    settings: state.settings,
    secret: await openSecret(state, deps),
    signal,
    groupsInUse: new Set(entities.filter(entity => entity.is_used).map(entity => entity.external_id)),
    importId,
  }
}

/** Long runs are not repeated much earlier because of their length. */
const mostSubtracted = minute

/**
 * The time when the next run begins at the latest; null: by request only. What changes right after it was read is written by the
 * end of the next run, so the time of a run is part of the minutes: a change waits no longer than `sync_minutes`, also
 * when the next run takes twice as long.
 */
export function nextSyncAt(
  state: SyncState,
  deps: Pick<DirectoryDeps, 'directories'>,
  startedAt: Date,
): Date | null {
  const { syncMinutes } = directorySettingsOf(state.settings)
  if (!deps.directories.get(state.kind)?.isScheduled || syncMinutes === null) return null
  const now = Date.now()
  const reserve = Math.min(2 * (now - startedAt.getTime()), mostSubtracted)
  return new Date(Math.max(now, startedAt.getTime() + syncMinutes * minute - reserve))
}
