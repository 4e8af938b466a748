// People, groups and domains of Microsoft Entra, by delta queries of Microsoft Graph.
import type {
  Directory,
  DirectoryConnection,
  DirectoryPage,
  DirectoryPerson,
} from '#features/people/directories/index.ts'
import { DirectoryError } from '#features/people/directories/index.ts'
import { day } from '#kernel/base/durations.ts'
import { type GroupChanges, groupPage, idOf, mergeGroups, mergeUsers, type UserChanges } from './changes.ts'
import { DeltaExpired, deltaPages, type GraphObject, graphObjects } from './delta.ts'
import { graphPermissions, readGraph } from './graph.ts'
import { entraAttributes, personOfUser, userProperties } from './person.ts'
import { findPhotoTag, readPhoto } from './photos.ts'

export const groupProperties = ['id', 'displayName', 'members']
/** Everything is read once a day: changes that a delta has lost are found then. */
const fullEvery = day
/** A delta is held in memory until its end. A larger one is read as a full run, page by page. */
const maxUsers = 10_000
const maxMembers = 200_000
/** Requests for single users at once. */
const atOnce = 8
const usersPerPage = 200

interface EntraCursor {
  readonly users: string
  readonly groups: string
  readonly full_at: number
}

function readCursor(since: string | null): EntraCursor | null {
  try {
    const cursor = JSON.parse(since ?? 'null')
    const { users, groups, full_at } = cursor ?? {}
    return typeof users === 'string' && typeof groups === 'string' && typeof full_at === 'number'
      ? cursor
      : null
  } catch {
    return null
  }
}

const extraOf = ({ settings }: DirectoryConnection): string[] =>
  Array.isArray(settings.extra_attributes) ? settings.extra_attributes.map(String) : []
const propertiesOf = (connection: DirectoryConnection): string[] => [
  ...new Set([...userProperties, ...extraOf(connection)]),
]

const usersDelta = (connection: DirectoryConnection, link: string | null) =>
  deltaPages('users', propertiesOf(connection), link, connection, graphPermissions.users)
const groupsDelta = (connection: DirectoryConnection, link: string | null) =>
  deltaPages('groups', groupProperties, link, connection, graphPermissions.groups)

async function readDomains(connection: DirectoryConnection): Promise<string[]> {
  const { body } = await readGraph('/v1.0/domains?$select=id,isVerified', connection, {
    permission: graphPermissions.domains,
    isComplete: answer => Array.isArray(answer.body.value),
  })
  return graphObjects(body.value)
    .filter(({ isVerified }) => isVerified === true)
    .map(idOf)
}

/**
 * A delta names at least the properties that have changed, so the others are read. What the delta says counts more: the
 * second answer can come from a replica that does not know the change, or even the user, yet.
 */
async function completeUser(connection: DirectoryConnection, change: GraphObject): Promise<GraphObject> {
  const path = `/v1.0/users/${encodeURIComponent(idOf(change))}?$select=${propertiesOf(connection).join(',')}`
  const answer = await readGraph(path, connection, {
    permission: graphPermissions.users,
    statuses: [404],
    isComplete: ({ body }) => body.id === change.id,
  })
  return answer.status === 404 ? change : { ...answer.body, ...change }
}

/** Users as people; those who are guests or have no mailbox now are gone. */
async function* peoplePages(
  connection: DirectoryConnection,
  changes: UserChanges,
  needsReading: (id: string) => boolean,
  isFull: boolean,
): AsyncGenerator<DirectoryPage> {
  const all = [...changes]
  for (let from = 0; from < all.length; from += usersPerPage) {
    const people: DirectoryPerson[] = []
    const gone: string[] = []
    const part = all.slice(from, from + usersPerPage)
    for (let n = 0; n < part.length; n += atOnce)
      await Promise.all(
        part.slice(n, n + atOnce).map(async ([id, change]) => {
          const user = change && needsReading(id) ? await completeUser(connection, change) : change
          const person = user && personOfUser(user, extraOf(connection))
          if (person) people.push(person)
          else gone.push(id)
        }),
      )
    yield { people, gone, isFull }
  }
}

const cursorOf = (cursor: EntraCursor): string => JSON.stringify(cursor)

/** In a full round the first record of a user is complete; one that comes again can be a part. */
async function* readFull(connection: DirectoryConnection): AsyncGenerator<DirectoryPage> {
  const startedAt = Date.now()
  const seen = new Map<string, string>()
  let users: string | null = null
  let groups: string | null = null
  try {
    for await (const { items, deltaLink } of usersDelta(connection, null)) {
      const changes: UserChanges = new Map()
      mergeUsers(changes, items)
      yield* peoplePages(connection, changes, id => seen.has(id), true)
      for (const id of changes.keys()) seen.set(id, id)
      users = deltaLink ?? users
    }
    for await (const { items, deltaLink } of groupsDelta(connection, null)) {
      const changes: GroupChanges = new Map()
      mergeGroups(changes, items, seen)
      yield groupPage(changes, true)
      groups = deltaLink ?? groups
    }
  } catch (error) {
    if (!(error instanceof DeltaExpired)) throw error
    // What was read so far must not be mixed with a second beginning: the next run reads everything.
    throw new DirectoryError('unavailable', `Microsoft has interrupted the reading. ${error.message}`)
  }
  // Without both links the next run reads everything.
  const cursor = users && groups ? cursorOf({ users, groups, full_at: startedAt }) : null
  yield { cursor, isFull: true }
}

interface CollectedDelta {
  readonly users: UserChanges
  readonly groups: GroupChanges
  readonly cursor: EntraCursor
}

/** The whole delta, before anything of it is written; undefined when everything has to be read. */
async function collectDelta(
  connection: DirectoryConnection,
  since: EntraCursor,
): Promise<CollectedDelta | undefined> {
  const changed: UserChanges = new Map()
  const changedGroups: GroupChanges = new Map()
  let members = 0
  let { users, groups } = since
  try {
    for await (const { items, deltaLink } of usersDelta(connection, since.users)) {
      mergeUsers(changed, items)
      if (changed.size > maxUsers) return undefined
      users = deltaLink ?? users
    }
    for await (const { items, deltaLink } of groupsDelta(connection, since.groups)) {
      members += mergeGroups(changedGroups, items)
      if (members > maxMembers) return undefined
      groups = deltaLink ?? groups
    }
  } catch (error) {
    if (error instanceof DeltaExpired) return undefined
    throw error
  }
  return { users: changed, groups: changedGroups, cursor: { ...since, users, groups } }
}

async function* read(connection: DirectoryConnection, since: string | null): AsyncGenerator<DirectoryPage> {
  const stored = readCursor(since)
  const isRecent = stored !== null && Date.now() - stored.full_at < fullEvery
  const delta = isRecent ? await collectDelta(connection, stored) : undefined
  yield { domains: await readDomains(connection), isFull: delta === undefined }
  if (delta === undefined) {
    yield* readFull(connection)
    return
  }
  yield* peoplePages(connection, delta.users, () => true, false)
  yield groupPage(delta.groups, false)
  yield { cursor: cursorOf(delta.cursor), isFull: false }
}

export const microsoftDirectory: Directory = {
  isScheduled: true,
  attributes: entraAttributes,
  read,
  photoTag: findPhotoTag,
  photo: readPhoto,
}
