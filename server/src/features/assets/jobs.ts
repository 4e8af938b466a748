import type { Db } from '../../kernel/db.ts'
import type { Job } from '../../kernel/jobs.ts'
import {
  areNeeded,
  forgetExpiredLeases,
  forgetRenditions,
  hashOfLeaving,
  listLeaving,
  lockBytes,
  markRemoved,
  mayRemove,
} from './queries.ts'
import { type FileStore, originalKey, renditionKey } from './store.ts'

export interface Removal {
  readonly workspace_id: string
  readonly asset_id: string
}

export const removal = 'assets.remove_bytes'

/** Removes the bytes of an asset that is deleted and not in use, unless another one has the same. */
async function removeBytes(
  db: Db,
  store: FileStore,
  { workspace_id: workspaceId, asset_id }: Removal,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await mayRemove(tx))) throw new Error('a backup is being written; later')
    const hash = await hashOfLeaving(tx, workspaceId, asset_id)
    if (hash === undefined) return
    await lockBytes(tx, workspaceId, hash)
    if (!(await areNeeded(tx, workspaceId, hash))) {
      // Should the transaction fail after this, it is all done again.
      for (const name of await forgetRenditions(tx, workspaceId, hash))
        await store.delete(renditionKey(workspaceId, hash, name))
      await store.delete(originalKey(workspaceId, hash))
    }
    await markRemoved(tx, workspaceId, asset_id)
  })
}

export const assetJobs = (db: Db, store: FileStore): readonly Job[] => [
  { name: removal, run: payload => removeBytes(db, store, payload as Removal) },
  {
    // An asset may be deleted first and fall out of use later.
    name: 'assets.sweep',
    schedule: '41 3 * * *',
    async run() {
      await db.query(forgetExpiredLeases(new Date()))
      for (const { workspace_id, id } of await listLeaving(db))
        await removeBytes(db, store, { workspace_id, asset_id: id })
    },
  },
]
