import { day } from '#kernel/base/durations.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { photoAttribute } from '../directory.ts'
import type { DirectoryPayload } from '../enqueue.ts'

export const photoJob = 'directories.photos'

/** Nothing is enqueued unless a smart field is mapped to photos. */
export async function schedulePhotos(tx: Db, workspaceId: string, integrationId: string): Promise<void> {
  const mapped = await tx.query(sql`
    select id from smart_fields
    where workspace_id = ${workspaceId} and integration_id = ${integrationId}
      and integration_attribute = ${photoAttribute} limit 1`)
  if (mapped.length === 0) return
  const payload: DirectoryPayload = { workspace_id: workspaceId, integration_id: integrationId }
  await tx.query(enqueue(photoJob, payload, `${photoJob} ${integrationId}`))
}

export interface DuePhoto {
  readonly external_id: string
  readonly teammate_id: string
  readonly address: string
  readonly photo_tag: string | null
}

/** People whose photo differs from the stored one, in the order of their ids. */
export const duePhotos = (
  db: Db,
  workspaceId: string,
  integrationId: string,
  after: string,
  limit: number,
): Promise<DuePhoto[]> =>
  db.query(sql`
    select external_id, teammate_id, address, photo_tag from directory_people
    where workspace_id = ${workspaceId} and integration_id = ${integrationId} and teammate_id is not null
      and state = 'present' and photo_tag is distinct from photo_stored_tag and external_id > ${after}
    order by external_id limit ${limit}`)

/** How often the photo of a person is asked for, where the directory does not say that it has changed. */
const askedEvery = day

/**
 * What is stored for a person whose photo is asked for: when it was asked, and the tag. The times are sortable. Null:
 * never asked.
 */
export const askedTag = (at: Date, tag: string | null): string => `${at.toISOString()} ${tag ?? ''}`
export const tagOfAsked = (stored: string | null): string | null =>
  stored?.slice(stored.indexOf(' ') + 1) || null

export interface UnaskedPhoto {
  readonly external_id: string
  readonly teammate_id: string
  readonly photo_stored_tag: string | null
}

/** People whose photo was not asked for within a day: those who never were come first. */
export const unaskedPhotos = (
  db: Db,
  workspaceId: string,
  integrationId: string,
  now: Date,
  limit: number,
): Promise<UnaskedPhoto[]> =>
  db.query(sql`
    select external_id, teammate_id, photo_stored_tag from directory_people
    where workspace_id = ${workspaceId} and integration_id = ${integrationId} and teammate_id is not null
      and state = 'present' and (photo_stored_tag is null
        or photo_stored_tag collate "C" < ${new Date(now.getTime() - askedEvery).toISOString()})
    order by photo_stored_tag collate "C" nulls first, external_id limit ${limit}`)

/** Only when the photo has not changed again meanwhile. */
export const savePhotoTag = (
  workspaceId: string,
  integrationId: string,
  externalId: string,
  tag: string | null,
): Sql => sql`
  update directory_people set photo_stored_tag = ${tag}
  where workspace_id = ${workspaceId} and integration_id = ${integrationId} and external_id = ${externalId}`

/** Another field is mapped to photos: all of them are fetched again. */
export const forgetPhotoTags = (workspaceId: string, integrationId: string): Sql => sql`
  update directory_people set photo_stored_tag = null
  where workspace_id = ${workspaceId} and integration_id = ${integrationId} and photo_stored_tag is not null`
