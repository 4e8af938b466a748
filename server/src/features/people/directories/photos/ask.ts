// Photos of directories that do not say when a photo has changed: each person is asked for once a day.
import type { Db } from '#kernel/db/db.ts'
import { type Directory, type DirectoryConnection, DirectoryError } from '../directory.ts'
import { askedTag, savePhotoTag, tagOfAsked, type UnaskedPhoto, unaskedPhotos } from './queries.ts'

type AskedDirectory = Directory & Required<Pick<Directory, 'photoTag' | 'photo'>>

export const asksForPhotos = (directory: Directory): directory is AskedDirectory =>
  directory.photoTag !== undefined && directory.photo !== undefined

/** Number of photos that are asked for at once. */
const atOnce = 4
/** People of one job: the next one comes with the next run, so that a large company does not keep a worker for hours. */
const perJob = 2_000
const perPage = 100
/** The directory is out of order, and not a single person. */
const maxFailures = 5

/** Stores the photo, or removes it; with the tag. */
type StorePhoto = (person: UnaskedPhoto, bytes: Buffer | null, tag: string) => Promise<void>

async function askForPhoto(
  db: Db,
  connection: DirectoryConnection,
  directory: AskedDirectory,
  person: UnaskedPhoto,
  store: StorePhoto,
): Promise<void> {
  const earlier = tagOfAsked(person.photo_stored_tag)
  const keep = (tag: string | null) =>
    db.query(savePhotoTag(connection, person.external_id, askedTag(new Date(), tag)))
  try {
    const tag = await directory.photoTag(connection, person.external_id)
    if (tag === earlier) {
      await keep(tag)
      return
    }
    const photo = tag === null ? null : await directory.photo(connection, person.external_id)
    await store(person, photo?.bytes ?? null, askedTag(new Date(), photo && tag))
  } catch (error) {
    // A person whose photo cannot be read must not stop those after: the next attempt is a day later.
    if (error instanceof DirectoryError && error.code !== 'access_lost') await keep(earlier)
    throw error
  }
}

/** Throws DirectoryError when the directory refuses, or fails for several people. */
export async function askForPhotos(
  db: Db,
  connection: DirectoryConnection,
  directory: AskedDirectory,
  store: StorePhoto,
): Promise<void> {
  const { signal } = connection
  let failures = 0
  for (let asked = 0; asked < perJob; ) {
    const people = await unaskedPhotos(db, connection, new Date(), perPage)
    if (people.length === 0) return
    asked += people.length
    for (let n = 0; n < people.length; n += atOnce) {
      signal.throwIfAborted()
      const results = await Promise.allSettled(
        people.slice(n, n + atOnce).map(person => askForPhoto(db, connection, directory, person, store)),
      )
      for (const result of results) {
        if (result.status === 'fulfilled') continue
        const isOne = result.reason instanceof DirectoryError && result.reason.code !== 'access_lost'
        if (!isOne || ++failures >= maxFailures) throw result.reason
      }
    }
  }
}
