import { day } from '#kernel/base/durations.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { photoAttribute } from '../directory.ts'
import { payloadOf } from '../enqueue.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'

export const photoJob = 'directories.photos'

/** Nothing is enqueued unless a smart field is mapped to photos. */
export async function schedulePhotos(tx: Db, directory: DirectoryRef): Promise<void> {
  const mapped = await tx.query(sql`
    select id from smart_fields
    where ${ofDirectory(directory)} and integration_attribute = ${photoAttribute} limit 1`)
  if (mapped.length === 0) return
  await tx.query(enqueue(photoJob, payloadOf(directory), `${photoJob} ${directory.integrationId}`))
}

export interface DuePhoto {
  readonly external_id: string
  readonly teammate_id: string
  readonly address: string
  readonly photo_tag: string | null
}

/** People whose photo differs from the stored one, in the order of their ids. */
export const duePhotos = (db: Db, directory: DirectoryRef, after: string, limit: number) =>
  db.query<DuePhoto>(sql`
    select external_id, teammate_id, address, photo_tag from directory_people
    where ${ofDirectory(directory)} and teammate_id is not null
      and state = 'present' and photo_tag is distinct from photo_stored_tag and external_id > ${after}
    order by external_id limit ${limit}`)

/** Interval of questions for a photo, where the directory does not say that it has changed. */
const askedEvery = day

/**
 * The stored tag of a person whose photo is asked for: the time of the question, and the tag. The times are sortable. Null:
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
export const unaskedPhotos = (db: Db, directory: DirectoryRef, now: Date, limit: number) =>
  db.query<UnaskedPhoto>(sql`
    select external_id, teammate_id, photo_stored_tag from directory_people
    where ${ofDirectory(directory)} and teammate_id is not null
      and state = 'present' and (photo_stored_tag is null
        or photo_stored_tag collate "C" < ${new Date(now.getTime() - askedEvery).toISOString()})
    order by photo_stored_tag collate "C" nulls first, external_id limit ${limit}`)

/** Stores the tag of the photo that was stored. */
export const savePhotoTag = (directory: DirectoryRef, externalId: string, tag: string | null): Sql => sql`
  update directory_people set photo_stored_tag = ${tag}
  where ${ofDirectory(directory)} and external_id = ${externalId}`

/** Another field is mapped to photos: all of them are fetched again. */
export const forgetPhotoTags = (directory: DirectoryRef): Sql => sql`
  update directory_people set photo_stored_tag = null
  where ${ofDirectory(directory)} and photo_stored_tag is not null`
