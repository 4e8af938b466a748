import type { Db } from '#kernel/db/db.ts'
import { enqueueRemap } from './enqueue.ts'
import { forgetPhotoTags, schedulePhotos } from './photos/queries.ts'

/** A smart field is mapped to another attribute: its values are filled in the background. */
export async function refillValues(
  tx: Db,
  workspaceId: string,
  integrationId: string,
  isPicture: boolean,
): Promise<void> {
  if (!isPicture) {
    await tx.query(enqueueRemap(workspaceId, integrationId))
    return
  }
  await tx.query(forgetPhotoTags(workspaceId, integrationId))
  await schedulePhotos(tx, workspaceId, integrationId)
}
