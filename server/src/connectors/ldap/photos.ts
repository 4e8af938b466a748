// Photos change seldom and are large: they are read only of entries that have changed since this process has read them.
import { hash } from 'node:crypto'
import { EqualityFilter, OrFilter } from 'ldapts'
import { entryBytes, entryId, idValue, type LdapEntry } from './entry.ts'
import { stampOf } from './person.ts'
import type { LdapSession } from './session.ts'
import type { LdapSettings } from './settings.ts'

/** Entries whose photos are read in one request. */
const perRequest = 50
const maxRemembered = 200_000

interface Remembered {
  readonly stamp: string
  readonly tag: string | null
}

const remembered = new Map<string, Remembered>()

function remember(key: string, value: Remembered): void {
  remembered.delete(key)
  remembered.set(key, value)
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
}

export interface PhotoScope {
  readonly integrationId: string
  /** Stamps of another server count differently. */
  readonly server: string
  readonly base: string
}

/** By id. The tag is a hash of the photo; null: the person has none. */
export async function photoTagsOf(
  session: LdapSession,
  settings: LdapSettings,
  entries: readonly LdapEntry[],
  { integrationId, server, base }: PhotoScope,
): Promise<ReadonlyMap<string, string | null>> {
  const tags = new Map<string, string | null>()
  const unknown = new Map<string, string>()
  for (const entry of entries) {
    const id = entryId(entry, settings.idAttribute)
    if (id === undefined) continue
    const stamp = stampOf(entry, settings)
    const stored = remembered.get(`${integrationId} ${id}`)
    if (stored && stamp !== '' && stored.stamp === `${server} ${stamp}`) tags.set(id, stored.tag)
    else unknown.set(id, stamp)
  }
  const ids = [...unknown.keys()]
  for (let n = 0; n < ids.length; n += perRequest) {
    const read = await readPhotos(session, settings, base, ids.slice(n, n + perRequest))
    for (const id of ids.slice(n, n + perRequest)) {
      const bytes = read.get(id)
      const tag = bytes ? hash('sha256', bytes) : null
      tags.set(id, tag)
      remember(`${integrationId} ${id}`, { stamp: `${server} ${unknown.get(id)}`, tag })
    }
  }
  return tags
}

export async function readPhotos(
  session: LdapSession,
  settings: LdapSettings,
  base: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const { idAttribute, photoAttribute } = settings
  const filters = ids.map(
    id => new EqualityFilter({ attribute: idAttribute, value: idValue(id, idAttribute) }),
  )
  const photos = new Map<string, Buffer>()
  const search = { base, filter: new OrFilter({ filters }), attributes: [idAttribute, photoAttribute] }
  for await (const entries of session.pages({ ...search, isPaged: false }))
    for (const entry of entries) {
      const id = entryId(entry, idAttribute)
      const [bytes] = entryBytes(entry, photoAttribute)
      if (id !== undefined && bytes?.length) photos.set(id, bytes)
    }
  return photos
}
