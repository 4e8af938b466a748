// People, org units and groups of an LDAP server. Active Directory is asked for changes between full runs; the others are
// read completely by every run: 3,000 people take less than half a second.
import {
  AndFilter,
  Control,
  EqualityFilter,
  type Filter,
  FilterParser,
  GreaterThanEqualsFilter,
} from 'ldapts'
import type {
  DirectoryConnection,
  DirectoryPage,
  DirectoryPhoto,
  ExternalId,
} from '#features/people/directories/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { planRead } from './cursor.ts'
import { entryId, entryText, entryTexts, type LdapEntry } from './entry.ts'
import { LdapError } from './errors.ts'
import { type OrgUnits, readGroups, readOrgUnits } from './groups.ts'
import { KnownEntries, readMembers } from './members.ts'
import { ldapPersonOf, personAttributes } from './person.ts'
import { photoTagsOf, readPhotos } from './photos.ts'
import { type Bases, basesOf, readServerInfo, type ServerInfo } from './server-info.ts'
import { LdapSession } from './session.ts'
import { type LdapSettings, ldapSettingsOf } from './settings.ts'

/** More changes than this are read as everything. */
const maxChanges = 20_000
const showDeleted = () => new Control('1.2.840.113556.1.4.417', { critical: true })

/** The caller closes it. */
export async function openSession(
  settings: LdapSettings,
  password: string | null,
  signal: AbortSignal,
): Promise<LdapSession> {
  const session = await LdapSession.connect(settings, signal)
  try {
    await session.secure()
    await session.bind(settings.bindDn, password)
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

interface Reading {
  readonly connection: DirectoryConnection
  readonly session: LdapSession
  readonly settings: LdapSettings
  readonly server: ServerInfo
  readonly bases: Bases
  readonly hasPhotos: boolean
  /** Those that this run has read. */
  readonly people: Set<string>
  readonly groups: Set<string>
}

const changedSince = (usn: bigint): Filter =>
  new GreaterThanEqualsFilter({ attribute: 'uSNChanged', value: String(usn) })

const both = (filter: string, more: Filter | null): Filter =>
  more
    ? new AndFilter({ filters: [FilterParser.parseString(filter), more] })
    : FilterParser.parseString(filter)

async function* readPeople(
  { connection, session, settings, server, bases, hasPhotos, people }: Reading,
  units: OrgUnits,
  entryIds: KnownEntries,
  more: Filter | null,
): AsyncGenerator<DirectoryPage> {
  const filter = both(settings.peopleFilter, more)
  const search = { filter, attributes: personAttributes(settings), pageSize: settings.pageSize }
  const { integrationId } = connection
  const scope = { integrationId, server: server.changes?.invocationId ?? '' }
  for (const base of bases.people)
    for await (const entries of session.pages({ ...search, base })) {
      const tags = hasPhotos ? await photoTagsOf(session, settings, entries, { ...scope, base }) : null
      const page = entries.flatMap(entry => {
        const place = { orgUnitId: units.of(entry.dn), photoTag: tagOf(tags, entry, settings) }
        const person = ldapPersonOf(entry, settings, place)
        if (!person) return []
        entryIds.add(entry, person.externalId, entryText(entry, settings.userNameAttribute))
        people.add(person.externalId)
        return person
      })
      yield { people: page, isFull: more === null }
    }
}

const tagOf = (
  tags: ReadonlyMap<string, string | null> | null,
  entry: LdapEntry,
  { idAttribute }: LdapSettings,
): string | null => tags?.get(entryId(entry, idAttribute) ?? '') ?? null

async function* readEntries(reading: Reading, more: Filter | null): AsyncGenerator<DirectoryPage> {
  const { session, settings, bases } = reading
  const isFull = more === null
  const entryIds = new KnownEntries(settings)
  const units = await readOrgUnits(session, settings, bases.people, both(settings.orgUnitFilter, null))
  // A changed org unit makes the run a full one, so a run of changes need not name them.
  if (isFull) yield { groups: units.groups, isFull }
  yield* readPeople(reading, units, entryIds, more)
  const filter = both(settings.groupFilter, more)
  for await (const groups of readGroups(session, settings, bases.groups, filter, entryIds)) {
    for (const { externalId } of groups) reading.groups.add(externalId)
    yield { groups, isFull }
  }
  yield* readMembers(session, settings, bases.groups, filter, entryIds, isFull)
}

/** Objects whose rename or move changes what others are part of, without a change of the others. */
const containers = new Set(['organizationalunit', 'container'])

/** Ids of everything that has changed; null when the run has to read everything. */
async function readChangedIds(
  { session, settings }: Reading,
  base: string,
  since: Filter,
): Promise<string[] | null> {
  const ids: string[] = []
  const { pageSize, idAttribute } = settings
  const attributes = [idAttribute, 'objectClass']
  for await (const entries of session.pages({ base, filter: since, attributes, pageSize }))
    for (const entry of entries) {
      const id = entryId(entry, idAttribute)
      if (id !== undefined) ids.push(id)
      // The most specific class is the last one.
      if (containers.has(entryTexts(entry, 'objectClass').at(-1)?.toLowerCase() ?? '')) return null
      if (ids.length > maxChanges) return null
    }
  return ids
}

/** Empty for an account that may not see deleted objects, which is usual: full runs find those who are missing. */
async function readDeletedIds(
  { session, settings }: Reading,
  base: string,
  since: Filter,
): Promise<string[]> {
  const ids: string[] = []
  const deleted = new EqualityFilter({ attribute: 'isDeleted', value: 'TRUE' })
  const filter = new AndFilter({ filters: [deleted, since] })
  const { idAttribute, pageSize } = settings
  const search = { base, filter, attributes: [idAttribute], controls: [showDeleted()], pageSize }
  try {
    for await (const entries of session.pages(search))
      ids.push(...entries.flatMap(entry => entryId(entry, idAttribute) ?? []))
  } catch (error) {
    if (!(error instanceof LdapError) || error.status === null || error.code === 'unavailable') throw error
  }
  return ids
}

/** Yields nothing when the run has to read everything. */
async function* readChanges(reading: Reading, base: string, usn: bigint): AsyncGenerator<DirectoryPage> {
  const since = changedSince(usn)
  const changed = await readChangedIds(reading, base, since)
  if (!changed) return
  const deleted = await readDeletedIds(reading, base, since)
  yield* readEntries(reading, since)
  // Changed entries that the filters and bases do not include (any more): a person was moved, or has no address now.
  const left = [...changed, ...deleted]
  yield {
    gone: left.filter(id => !reading.people.has(id)),
    goneGroups: left.filter(id => !reading.groups.has(id)),
    isFull: false,
  }
}

/** Photos are compared only while a field is mapped to them. */
async function isPhotoMapped({ db, workspaceId, integrationId }: DirectoryConnection): Promise<boolean> {
  const fields = await smartFieldsOf(db, workspaceId)
  return fields.some(
    field => field.integration_id === integrationId && field.integration_attribute === 'photo',
  )
}

export async function* readLdap(
  connection: DirectoryConnection,
  since: string | null,
): AsyncGenerator<DirectoryPage> {
  const settings = ldapSettingsOf(connection.settings)
  const hasPhotos = await isPhotoMapped(connection)
  const session = await openSession(settings, connection.secret, connection.signal)
  try {
    const server = await readServerInfo(session, settings)
    const bases = basesOf(settings, server)
    const reading = { connection, session, settings, server, bases, hasPhotos }
    const plan = planRead(since, server.changes, hasPhotos, Date.now())
    let isFull = true
    if (plan.sinceUsn !== null && server.changes) {
      const changes = { ...reading, people: new Set<string>(), groups: new Set<string>() }
      for await (const page of readChanges(changes, server.changes.base, plan.sinceUsn)) {
        isFull = false
        yield page
      }
    }
    if (isFull) yield* readEntries({ ...reading, people: new Set(), groups: new Set() }, null)
    yield { cursor: plan.cursorAfter(isFull), isFull }
  } finally {
    session.close()
  }
}

export async function readLdapPhoto(
  connection: DirectoryConnection,
  externalId: ExternalId,
): Promise<DirectoryPhoto | null> {
  const settings = ldapSettingsOf(connection.settings)
  const session = await openSession(settings, connection.secret, connection.signal)
  try {
    const { people } = basesOf(settings, await readServerInfo(session, settings))
    for (const base of people) {
      const bytes = (await readPhotos(session, settings, base, [externalId])).get(externalId)
      if (bytes) return { bytes }
    }
    return null
  } finally {
    session.close()
  }
}
