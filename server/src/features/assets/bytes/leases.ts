// Bytes that an upload or a rendition writes to the file store are leased first, so that no removal of the same bytes
// comes in between.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { endLease, insertLease, shareBytes } from './queries.ts'

const waitMilliseconds = 10_000
const pollMilliseconds = 50

const unavailable = (message: string) =>
  apiError('unavailable', { message, headers: { 'Retry-After': '10' } })

/**
 * Until the lease is given back, or for ten minutes, the removal job leaves these bytes alone. Waits for a removal that has
 * begun. `within` is done in the transaction that takes the lease.
 */
export async function leaseBytes(
  db: Db,
  workspaceId: string,
  hash: string,
  inTransaction: (tx: Db) => Promise<void> = async () => undefined,
): Promise<string> {
  for (let waitedMilliseconds = 0; ; waitedMilliseconds += pollMilliseconds) {
    const lease = await db.transaction(async tx => {
      await shareBytes(tx, workspaceId, hash)
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

/** In the transaction that writes a row for the bytes: from its end on, the row holds them. */
export async function endLeaseInTransaction(
  tx: Db,
  workspaceId: string,
  hash: string,
  leaseId: string,
): Promise<void> {
  await shareBytes(tx, workspaceId, hash) // a removal that begins now sees the row
  if (!(await endLease(tx, workspaceId, hash, leaseId)))
    throw unavailable('Keeping the file took too long; try again shortly.')
}
