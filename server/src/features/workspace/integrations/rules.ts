import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { uuid } from '#kernel/api/validation.ts'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { IntegrationKinds } from './kinds.ts'
import {
  drivingDirectory,
  insertIntegration,
  markDisconnected,
  type NewIntegration,
  saveSecret,
  updateError,
} from './queries.ts'
import { type SyncError, updateSyncError } from './sync/queries.ts'

/** Characters of an error message in an event. */
const maxMessage = 1_000

export interface IntegrationDeps {
  readonly kinds: IntegrationKinds
  readonly sealSecret: (secret: string, integrationId: string) => Promise<Buffer>
  readonly openSecret: (sealed: Buffer, integrationId: string) => Promise<string>
  /** Runs last in the transaction that connects or disconnects an integration. */
  readonly onConnectionChange: (tx: Db, workspaceId: string) => Promise<unknown>
  /** Runs in the transaction that disconnects a directory: its people become manual. */
  readonly onDisconnect: (tx: Db, by: Caller, integrationId: string) => Promise<unknown>
}

/** Returns the id of the integration. */
export const connectIntegration = (
  db: Db,
  by: Caller,
  { secret, ...integration }: NewIntegration & { readonly secret: string },
  { sealSecret, onConnectionChange }: Pick<IntegrationDeps, 'sealSecret' | 'onConnectionChange'>,
): Promise<string> =>
  db.transaction(async tx => {
    const id = await insertIntegration(tx, by, integration)
    await saveSecret(tx, by.workspaceId, id, await sealSecret(secret, id))
    await onConnectionChange(tx, by.workspaceId)
    return id
  })

export const disconnectIntegration = (
  db: Db,
  by: Caller,
  id: string,
  { onConnectionChange, onDisconnect }: Pick<IntegrationDeps, 'onConnectionChange' | 'onDisconnect'>,
): Promise<void> =>
  db.transaction(async tx => {
    if (!uuid.test(id) || !(await markDisconnected(tx, by, id))) throw apiError('not_found')
    await onDisconnect(tx, by, id)
    await onConnectionChange(tx, by.workspaceId)
  })

/** Stores an error and when it began, and tells webhooks; null clears both. */
export const recordError = (db: Db, workspaceId: string, id: string, message: string | null): Promise<void> =>
  db.transaction(async tx => {
    const changed = await updateError(tx, workspaceId, id, message)
    if (changed && message !== null)
      await announce(tx, workspaceId, 'integration.error', [
        { id, ...changed, message: message.slice(0, maxMessage) },
      ])
  })

/** The same for the directory of an integration. */
export const recordSyncError = async (
  tx: Db,
  workspaceId: string,
  id: string,
  error: SyncError | null,
): Promise<void> => {
  const changed = await updateSyncError(tx, workspaceId, id, error)
  if (changed && error)
    await announce(tx, workspaceId, 'integration.error', [
      { id, ...changed, message: error.message.slice(0, maxMessage) },
    ])
}

/** The directory that decides who is a teammate, unless the caller is its own sync. */
const foreignDirectory = async (db: Db, { workspaceId, directoryId }: Caller) => {
  const directory = await drivingDirectory(db, workspaceId)
  return directory && directory.id !== directoryId ? directory : undefined
}

/** True if this caller must leave teammates and their addresses to a directory. */
export const isManagedByDirectory = async (db: Db, by: Caller): Promise<boolean> =>
  (await foreignDirectory(db, by)) !== undefined

/** While a directory drives the teammates, only its own sync adds or removes teammates and changes their addresses. */
export async function refuseIfManagedByDirectory(db: Db, by: Caller, publicUrl: string): Promise<void> {
  const directory = await foreignDirectory(db, by)
  if (!directory) return
  throw apiError('directory_managed', {
    remediation: {
      action: 'manage_in_dashboard',
      dashboard_url: directory.dashboard_url ?? `${publicUrl}/integrations`,
      message: `Teammates come from ${directory.name}. Change them there, and the next sync brings the change here.`,
    },
  })
}
