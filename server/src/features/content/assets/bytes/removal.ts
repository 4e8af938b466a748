import type { Db } from '#kernel/db/db.ts'
import { type FileStore, originalKey, renditionKey } from '../store.ts'
import {
  areLeased,
  areServed,
  canRemove,
  deleteRenditions,
  endRemoval,
  insertRemoval,
  listRenditions,
  lockBytes,
  renewRemoval,
} from './queries.ts'

const retryLater = (reason: string): Error => new Error(`${reason}; later`)

/** Returns the id of the removal; undefined when an asset needs the bytes. Throws when the job must retry later. */
async function beginRemoval(tx: Db, workspaceId: string, hash: string): Promise<string | undefined> {
  if (!(await canRemove(tx))) throw retryLater('a backup is being written')
  await lockBytes(tx, workspaceId, hash)
  if (await areServed(tx, workspaceId, hash)) return undefined
  if (await areLeased(tx, workspaceId, hash)) throw retryLater('the same bytes are being written')
  const id = await insertRemoval(tx, workspaceId, hash)
  if (id === undefined) throw retryLater('the same bytes are being removed')
  return id
}

/**
 * Removes bytes and their renditions, unless an asset needs them. Holds no connection while the file store works. After
 * a failure the removal row stays until it expires, because a delete request that was sent can still take effect.
 */
export async function removeUnneeded(
  db: Db,
  store: FileStore,
  workspaceId: string,
  hash: string,
): Promise<void> {
  const id = await db.transaction(tx => beginRemoval(tx, workspaceId, hash))
  if (id === undefined) return
  const assertHeld = async (isHeld: Promise<boolean>) => {
    if (!(await isHeld)) throw retryLater('the removal has expired')
  }
  const renditions = await listRenditions(db, workspaceId, hash)
  const keys = renditions.map(name => renditionKey(workspaceId, hash, name))
  for (const key of [...keys, originalKey(workspaceId, hash)]) {
    await assertHeld(renewRemoval(db, workspaceId, hash, id))
    await store.delete(key)
  }
  await db.transaction(async tx => {
    await assertHeld(endRemoval(tx, workspaceId, hash, id))
    await deleteRenditions(tx, workspaceId, hash)
  })
}
