// When people who got no seat are tried again.
import { bringSyncForward, type SyncState } from '#features/workspace/integrations/index.ts'
import { hour } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { DirectoryDeps } from '../deps.ts'
import { directoriesLackingSeats } from './queries.ts'

/** Null when all people of the directory have a seat, and for directories whose runs need more than stored people. */
export async function nextSeatSearch(
  tx: Db,
  workspaceId: string,
  { id, kind }: SyncState,
  { directories }: Pick<DirectoryDeps, 'directories'>,
): Promise<Date | null> {
  if (!directories.get(kind)?.readsStoredPeople) return null
  const lacking = await directoriesLackingSeats(tx, workspaceId)
  return lacking.includes(id) ? new Date(Date.now() + hour) : null
}

/** Brings runs forward after seats were added. Directories without a next run, such as files, get none. */
export async function searchSeatsNow(db: Db, workspaceId: string): Promise<void> {
  for (const id of await directoriesLackingSeats(db, workspaceId))
    await db.query(bringSyncForward(workspaceId, id, new Date()))
}
