// People, org units, groups and domains of Google Workspace. Google has no delta: every run reads all people.
import type {
  Directory,
  DirectoryConnection,
  DirectoryGroup,
  DirectoryMembership,
  DirectoryPage,
} from '#features/people/directories/index.ts'
import { hour } from '#kernel/base/durations.ts'
import { type AdminBody, adminPages, readAdmin } from './admin-api.ts'
import { googleAttributes, personOf, userFields } from './person.ts'

const customer = 'my_customer'
const peoplePerPage = '500'
const groupsPerPage = '200'
/** Groups that no signature uses are read once an hour: each costs a request per 200 members. */
const otherGroupsEvery = hour
/** Requests for members at once. Google allows 40 requests a second. */
const atOnce = 4

type Json = Readonly<Record<string, unknown>>
const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

interface OrgUnits {
  readonly groups: readonly DirectoryGroup[]
  /** The org unit of this path, or the nearest one above it that is known. */
  readonly at: (path: string) => string | null
  readonly root: string | null
}

async function readOrgUnits(connection: DirectoryConnection): Promise<OrgUnits> {
  const path = `customer/${customer}/orgunits`
  const body = await readAdmin(path, 'admin#directory#orgUnits', { type: 'allIncludingParent' }, connection)
  const units = objectsIn(body?.organizationUnits)
  const byPath = new Map(units.map(unit => [textIn(unit.orgUnitPath), textIn(unit.orgUnitId)]))
  const at = (unitPath: string): string | null => {
    for (let path = unitPath; ; path = path.slice(0, path.lastIndexOf('/')) || '/') {
      const id = byPath.get(path)
      if (id) return id
      if (path === '/' || path === '') return null
    }
  }
  const groups = units
    .filter(unit => textIn(unit.orgUnitId) !== '')
    .map(
      (unit): DirectoryGroup => ({
        externalId: textIn(unit.orgUnitId),
        name: textIn(unit.orgUnitPath) || textIn(unit.name),
        subKind: 'org_unit',
        parentId: textIn(unit.parentOrgUnitId) || null,
      }),
    )
  return { groups, at, root: byPath.get('/') ?? null }
}

const groupOf = (group: Json): DirectoryGroup => ({
  externalId: textIn(group.id),
  name: textIn(group.email) || textIn(group.name),
  subKind: 'group',
})

/** Undefined when the group was deleted meanwhile. A member of type CUSTOMER means all people of the company. */
async function membersOf(
  connection: DirectoryConnection,
  group: string,
  root: string | null,
): Promise<DirectoryMembership | undefined> {
  const members: string[] = []
  let isFound = false
  const path = `groups/${encodeURIComponent(group)}/members`
  const query = { maxResults: groupsPerPage, fields: 'kind,nextPageToken,members(id,type)' }
  for await (const page of adminPages(path, 'admin#directory#members', query, connection)) {
    isFound = true
    for (const member of objectsIn(page.members)) {
      const id = member.type === 'CUSTOMER' ? root : textIn(member.id)
      if (id) members.push(id)
    }
  }
  return isFound ? { group, add: members, remove: [], isComplete: true } : undefined
}

async function readDomains(connection: DirectoryConnection): Promise<string[]> {
  const body = await readAdmin(`customer/${customer}/domains`, 'admin#directory#domains', {}, connection)
  return objectsIn(body?.domains).flatMap(domain => [
    textIn(domain.domainName),
    ...objectsIn(domain.domainAliases).map(alias => textIn(alias.domainAliasName)),
  ])
}

/** Time at which the members of all groups were read last; null: never. */
function groupsReadAt(cursor: string | null): number | null {
  try {
    const { groups_read_at: at } = JSON.parse(cursor ?? '{}')
    return typeof at === 'number' ? at : null
  } catch {
    return null
  }
}

async function* readMemberships(
  connection: DirectoryConnection,
  groups: readonly string[],
  root: string | null,
): AsyncGenerator<DirectoryPage> {
  for (let n = 0; n < groups.length; n += atOnce) {
    const read = await Promise.all(
      groups.slice(n, n + atOnce).map(group => membersOf(connection, group, root)),
    )
    yield { memberships: read.filter(membership => membership !== undefined), isFull: true }
  }
}

async function* read(connection: DirectoryConnection, since: string | null): AsyncGenerator<DirectoryPage> {
  const units = await readOrgUnits(connection)
  yield { groups: units.groups, domains: await readDomains(connection), isFull: true }
  const groupIds: string[] = []
  const groupQuery = {
    customer,
    maxResults: groupsPerPage,
    fields: 'kind,nextPageToken,groups(id,email,name)',
  }
  for await (const page of adminPages('groups', 'admin#directory#groups', groupQuery, connection)) {
    const groups = objectsIn(page.groups).map(groupOf)
    groupIds.push(...groups.map(({ externalId }) => externalId))
    yield { groups, isFull: true }
  }
  const userQuery = {
    customer,
    maxResults: peoplePerPage,
    projection: 'full',
    orderBy: 'email',
    showDeleted: 'false',
    fields: `kind,nextPageToken,users(${userFields})`,
  }
  for await (const page of adminPages('users', 'admin#directory#users', userQuery, connection))
    yield { people: objectsIn(page.users).flatMap(user => personOf(user, units.at) ?? []), isFull: true }
  const lastRead = groupsReadAt(since)
  const areAllDue = lastRead === null || Date.now() - lastRead >= otherGroupsEvery
  const due = areAllDue ? groupIds : groupIds.filter(id => connection.groupsInUse.has(id))
  yield* readMemberships(connection, due, units.root)
  yield { cursor: JSON.stringify({ groups_read_at: areAllDue ? Date.now() : lastRead }), isFull: true }
}

/** Google's alphabet: - and _ as in web addresses, and * or . as padding. */
const photoBytes = ({ photoData }: AdminBody): Buffer | null =>
  typeof photoData === 'string' ? Buffer.from(photoData.replace(/[*.=]/g, ''), 'base64url') : null

export const googleDirectory: Directory = {
  isScheduled: true,
  isAlwaysFull: true,
  attributes: googleAttributes,
  read,
  async photo(connection, externalId) {
    const path = `users/${encodeURIComponent(externalId)}/photos/thumbnail`
    const body = await readAdmin(path, 'admin#directory#user#photo', {}, connection)
    const bytes = body && photoBytes(body)
    return bytes ? { bytes } : null
  },
}
