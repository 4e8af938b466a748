// Fetches photos of people, after a run and apart from it: most runs find none that has changed.
import {
  keepPicture,
  type PreparedAsset,
  prepareBytes,
  squareCropOf,
} from '#features/content/assets/index.ts'
import { lockTeammate, touchTeammates, writeValues } from '#features/people/teammates/index.ts'
import { findSyncState } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { operator } from '#kernel/api/scopes.ts'
import { hour } from '#kernel/base/durations.ts'
import { ApiError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import type { DirectoryDeps } from '../deps.ts'
import { type Directory, type DirectoryConnection, DirectoryError } from '../directory.ts'
import type { DirectoryPayload } from '../enqueue.ts'
import { photoFieldOf } from '../people/values.ts'
import { connectionOf } from '../runs/connection.ts'
import { askForPhotos, asksForPhotos } from './ask.ts'
import { type DuePhoto, duePhotos, photoJob, savePhotoTag } from './queries.ts'

/** Fetched at once. */
const atOnce = 4
const perPage = 100

/** Null: the person has no photo, or none that can be shown. */
async function prepare(
  db: Db,
  workspaceId: string,
  bytes: Buffer,
  deps: DirectoryDeps,
): Promise<PreparedAsset | null> {
  const source = { field: 'photo', bytes, encoding: 'bytes' as const, filename: 'photo.jpg' }
  try {
    return await prepareBytes(db, workspaceId, source, deps.store)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  }
}

/** Stores a photo and its tag; null removes the photo. */
async function storePhoto(
  db: Db,
  connection: DirectoryConnection,
  fieldId: string,
  person: Pick<DuePhoto, 'external_id' | 'teammate_id'>,
  bytes: Buffer | null,
  tag: string | null,
  deps: DirectoryDeps,
): Promise<void> {
  const { workspaceId, integrationId } = connection
  const { external_id, teammate_id } = person
  const prepared = bytes && (await prepare(db, workspaceId, bytes, deps))
  const by = { ...operator(workspaceId), directoryId: integrationId }
  await db.transaction(async tx => {
    await tx.query(savePhotoTag(connection, external_id, tag))
    if (!(await lockTeammate(tx, workspaceId, teammate_id))) return
    const asset = prepared && (await keepPicture(tx, by, prepared, 'profile_picture', deps.publicUrl))
    const picture = asset && { assetId: asset.id, crop: squareCropOf(asset) }
    await writeValues(tx, workspaceId, new Map([[teammate_id, new Map([[fieldId, picture]])]]))
    await touchTeammates(tx, by, [{ id: teammate_id, changed: ['smart_fields'] }])
    await deps.onPeopleChange(tx, workspaceId, [teammate_id])
  })
}

/** Photos whose tags have changed in the last run. */
async function fetchDuePhotos(
  db: Db,
  connection: DirectoryConnection,
  directory: Directory,
  fieldId: string,
  deps: DirectoryDeps,
): Promise<void> {
  for (let after = ''; ; ) {
    const due = await duePhotos(db, connection, after, perPage)
    for (let n = 0; n < due.length; n += atOnce)
      await Promise.all(
        due.slice(n, n + atOnce).map(async person => {
          const { external_id, photo_tag } = person
          const photo = photo_tag === null ? null : await directory.photo?.(connection, external_id)
          await storePhoto(db, connection, fieldId, person, photo?.bytes ?? null, photo_tag, deps)
        }),
      )
    const last = due.at(-1)
    if (!last) return
    after = last.external_id
  }
}

export const photoJobs = (db: Db, deps: DirectoryDeps): readonly Job[] => [
  {
    name: photoJob,
    async run(sent) {
      const { workspace_id: workspaceId, integration_id: integrationId } = sent as DirectoryPayload
      const state = await findSyncState(db, workspaceId, integrationId)
      const directory = state && deps.directories.get(state.kind)
      const field = photoFieldOf(await smartFieldsOf(db, workspaceId), integrationId)
      if (!state || !directory?.photo || !field) return
      const signal = AbortSignal.timeout(hour)
      try {
        const connection = await connectionOf(db, workspaceId, state, deps, signal)
        if (asksForPhotos(directory))
          await askForPhotos(db, connection, directory, (person, bytes, tag) =>
            storePhoto(db, connection, field.id, person, bytes, tag, deps),
          )
        else await fetchDuePhotos(db, connection, directory, field.id, deps)
      } catch (error) {
        // The next run tries again; its own error is the one that admins see.
        if (!(error instanceof DirectoryError)) throw error
      }
    },
  },
]
