// An upload or a rendition takes a lease on its bytes before it writes them to the file store, so the removal job does
// not delete the same bytes at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { apiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { endLease, insertLease, lockBytesShared } from './queries.ts'

const waitMilliseconds = 10_000
const pollMilliseconds = 50

const unavailable = (message: string) =>
  apiError('unavailable', { message, headers: { 'Retry-After': '10' } })

/**
 * The removal job does not touch these bytes until the lease is released, or for ten minutes. Waits for a removal that
 * has already started. `inTransaction` runs in the transaction that takes the lease.
 */
export async function leaseBytes(
  db: Db,
  workspaceId: string,
  hash: string,
  inTransaction: (tx: Db) => Promise<void> = async () => undefined,
): Promise<string> {
  for (let waitedMilliseconds = 0; ; waitedMilliseconds += pollMilliseconds) {
    const lease = await db.transaction(async tx => {
      await lockBytesShared(tx, workspaceId, hash)
      const id = await insertLease(tx, workspaceId, hash)
      if (id !== undefined) await inTransaction(tx)
      return id
    })
    if (lease !== undefined) return lease
    if (waitedMilliseconds >= waitMilliseconds)
      throw unavailable('The same file is being removed; try again shortly.')
    await sleep(pollMilliseconds)
  }
}

/** Run this in the transaction that inserts the asset row: after its commit, the row protects the bytes. */
export async function endLeaseInTransaction(
  tx: Db,
  workspaceId: string,
  hash: string,
  leaseId: string,
): Promise<void> {
  await lockBytesShared(tx, workspaceId, hash) // a removal that starts now waits for this transaction and then sees the row
  if (!(await endLease(tx, workspaceId, hash, leaseId)))
    throw unavailable('Keeping the file took too long; try again shortly.')
}
