import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import {
  deleteExpiredLeases,
  listExpiredLeases,
  listRemovals,
  markRemoved,
  removableHashOf,
  type StoredBytes,
} from './bytes/queries.ts'
import { removeUnneeded } from './bytes/removal.ts'
import type { FileStore } from './store.ts'

export interface RemovalPayload {
  readonly workspace_id: string
  readonly asset_id: string
}

export const removeBytesJob = 'assets.remove_bytes'

/** Removes the bytes of a deleted asset that is not in use, unless another asset has the same bytes. */
async function removeBytes(
  db: Db,
  store: FileStore,
  { workspace_id, asset_id }: RemovalPayload,
): Promise<void> {
  const hash = await removableHashOf(db, workspace_id, asset_id)
  if (hash === undefined) return
  await removeUnneeded(db, store, workspace_id, hash)
  await markRemoved(db, workspace_id, asset_id)
}

/** Removes the bytes of an abandoned upload, unless an asset has the same bytes. */
async function removeAbandoned(
  db: Db,
  store: FileStore,
  { workspace_id, content_hash }: StoredBytes,
): Promise<void> {
  await removeUnneeded(db, store, workspace_id, content_hash)
  await deleteExpiredLeases(db, workspace_id, content_hash)
}

/** A failed item does not stop the others. It fails the job at the end, so the job is retried. */
async function runAll<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await action(item).catch(error => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} removals failed`)
}

export const assetJobs = (db: Db, store: FileStore): readonly Job[] => [
  { name: removeBytesJob, run: payload => removeBytes(db, store, payload as RemovalPayload) },
  {
    // Needed for an asset whose last reference ends after its deletion.
    name: 'assets.sweep',
    schedule: '41 3 * * *',
    async run() {
      const removals = (await listRemovals(db)).map(({ workspace_id, id }) => ({
        workspace_id,
        asset_id: id,
      }))
      const tasks = [
        ...removals.map(payload => () => removeBytes(db, store, payload)),
        ...(await listExpiredLeases(db)).map(bytes => () => removeAbandoned(db, store, bytes)),
      ]
      await runAll(tasks, task => task())
    },
  },
]
