import { type DirectoryRef, ofDirectory } from '#features/people/directories/index.ts'
import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { ScimJson } from '../attributes.ts'
import { groupFilters } from '../filters/attributes.ts'
import type { ScimFilter } from '../filters/parse.ts'
import { type FilterSource, filterSql, isLowerUuid } from '../filters/queries.ts'
import type { StoredResource } from '../resources.ts'
import type { ScimPage } from '../users/queries.ts'

const columns = sql`g.id, g.resource, g.created_at, g.updated_at`
const own = (scope: DirectoryRef): Sql => ofDirectory(scope, 'g')

export const findScimGroup = (db: Db, scope: DirectoryRef, id: string) =>
  db.first<StoredResource>(sql`select ${columns} from scim_groups g where ${own(scope)} and g.id = ${id}`)

/** The groups that this user or group is a direct member of. */
const hasMember = (scope: DirectoryRef, id: string): Sql => sql`
  exists (
    select from directory_edges d
    where ${ofDirectory(scope, 'd')} and d.group_id = g.id::text
      and d.member_id in (
        select u.person_id::text from scim_users u
        where ${ofDirectory(scope, 'u')} and u.id = ${id} and u.deleted_at is null
        union all
        select x.id::text from scim_groups x
        where ${ofDirectory(scope, 'x')} and x.id = ${id}))`

const filterSource = (scope: DirectoryRef): FilterSource => ({
  attributes: groupFilters,
  resource: sql`g.resource`,
  columns: {
    id: sql`g.id::text`,
    externalid: sql`g.external_id`,
    'meta.resourcetype': sql`'Group'`,
    'meta.created': sql`g.created_at`,
    'meta.lastmodified': sql`g.updated_at`,
  },
  equals: {
    id: text => (isLowerUuid(text) ? sql`g.id = ${text}` : sql`false`),
    externalid: text => sql`(g.external_id = ${text} and g.external_id is not null)`,
    displayname: text => sql`g.display_name_key = ${comparisonKey(text)}`,
    'members.value': text => (isLowerUuid(text) ? hasMember(scope, text) : sql`false`),
  },
  lists: {
    // PostgreSQL reads the members once, and not once for each group.
    members: condition => sql`(g.id::text in (
      select entry.group_id from (
        select m.group_id, jsonb_build_object('value', m.value, 'display', m.display, 'type', m.type) as value
        from (${membersSql(scope, sql`true`)}) m) entry
      where ${condition}))`,
  },
})

export async function listScimGroups(
  db: Db,
  scope: DirectoryRef,
  filter: ScimFilter | null,
  { offset, limit }: ScimPage,
): Promise<{ readonly resources: StoredResource[]; readonly total: number }> {
  const where = filter === null ? empty : sql`and ${filterSql(filter, filterSource(scope))}`
  const total = await db.number(
    composed(sql`select count(*)::int as n from scim_groups g where ${own(scope)} ${where}`),
  )
  if (limit === 0 || offset >= total) return { resources: [], total }
  const resources = await db.query<StoredResource>(
    composed(sql`
      select ${columns} from scim_groups g where ${own(scope)} ${where}
      order by g.id limit ${limit} offset ${offset}`),
  )
  return { resources, total }
}

/** Numbers of direct members by the ids of groups. Members who are unknown by now are counted too. */
export const countScimMembers = (db: Db, scope: DirectoryRef, groupIds: readonly string[]) =>
  db.query<{ readonly group_id: string; readonly n: number }>(
    composed(sql`
      select group_id, count(*)::int as n from directory_edges
      where ${ofDirectory(scope)} and group_id = any(${groupIds}::text[])
      group by group_id`),
  )

interface ScimMember {
  readonly group_id: string
  readonly value: string
  readonly display: string
  readonly type: 'User' | 'Group'
}

/** The direct members of the groups that this condition on `d` chooses. */
const membersSql = (scope: DirectoryRef, ofGroups: Sql): Sql => sql`
  select d.group_id, u.id::text as value, u.resource ->> 'userName' as display, 'User' as type
  from directory_edges d
  join scim_users u on u.workspace_id = d.workspace_id and u.integration_id = d.integration_id
    and u.person_id = d.member_id::uuid and u.deleted_at is null
  where ${ofDirectory(scope, 'd')} and ${ofGroups}
  union all
  select d.group_id, x.id::text, x.resource ->> 'displayName', 'Group'
  from directory_edges d
  join scim_groups x on x.workspace_id = d.workspace_id and x.integration_id = d.integration_id
    and x.id = d.member_id::uuid
  where ${ofDirectory(scope, 'd')} and ${ofGroups}`

export const scimMembersOf = (db: Db, scope: DirectoryRef, groupIds: readonly string[]) =>
  db.query<ScimMember>(
    composed(sql`${membersSql(scope, sql`d.group_id = any(${groupIds}::text[])`)} order by 1, 2`),
  )

/** The ids that the directory has for these users and groups. Unknown ones are left out. */
export async function directoryIdsOf(
  db: Db,
  scope: DirectoryRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const records = await db.query<{ id: string; directory_id: string }>(
    composed(sql`
      select u.id::text as id, u.person_id::text as directory_id from scim_users u
      where ${ofDirectory(scope, 'u')} and u.deleted_at is null
        and u.id = any(${ids}::uuid[])
      union all
      select g.id::text, g.id::text from scim_groups g
      where ${ofDirectory(scope, 'g')} and g.id = any(${ids}::uuid[])`),
  )
  return new Map(records.map(({ id, directory_id }) => [id, directory_id]))
}

/** The groups that a person or group is a direct member of, as the directory names them. */
export const groupsAround = (db: Db, scope: DirectoryRef, memberId: string): Promise<string[]> =>
  db.column<string>(sql`
    select group_id from directory_edges
    where ${ofDirectory(scope)} and member_id = ${memberId}
    order by group_id`)

export interface SavedGroup {
  readonly resource: ScimJson
  readonly displayName: string
  readonly externalId: string | null
}

export async function insertScimGroup(
  tx: Db,
  by: Caller,
  { workspaceId, integrationId }: DirectoryRef,
  { id, now }: { readonly id: string; readonly now: Date },
  { resource, displayName, externalId }: SavedGroup,
): Promise<void> {
  const insert = sql`
    insert into scim_groups (workspace_id, integration_id, id, resource, display_name_key, external_id, created_at, updated_at)
    values (${workspaceId}, ${integrationId}, ${id}, ${JSON.stringify(resource)}, ${comparisonKey(displayName)},
      ${externalId}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'scim_group.created', id, insert))
}

/** `hasMembers`: other members are a change too. Without any change nothing is written. */
export async function updateScimGroup(
  tx: Db,
  by: Caller,
  { workspaceId }: DirectoryRef,
  id: string,
  { resource, displayName, externalId }: SavedGroup,
  hasMembers: boolean,
): Promise<void> {
  const text = JSON.stringify(resource)
  const update = sql`
    update scim_groups set resource = ${text}, display_name_key = ${comparisonKey(displayName)}, external_id = ${externalId},
      updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${id} and (${hasMembers} or resource <> ${text}::jsonb)
    returning id`
  await tx.query(audited(by, 'scim_group.updated', update))
}

export async function unknownMembersOf(tx: Db, scope: DirectoryRef, id: string): Promise<readonly string[]> {
  const members = await tx.value<readonly string[]>(
    sql`select g.unknown_members from scim_groups g where ${own(scope)} and g.id = ${id}`,
  )
  return members ?? []
}

export const saveUnknownMembers = (
  { workspaceId }: DirectoryRef,
  id: string,
  ids: readonly string[],
): Sql => sql`
  update scim_groups set unknown_members = ${ids}::text[]
  where workspace_id = ${workspaceId} and id = ${id} and unknown_members <> ${ids}::text[]`

export const groupsWithUnknownMembers = (db: Db, scope: DirectoryRef, limit: number) =>
  db.query<{ readonly name: string; readonly unknown_members: readonly string[] }>(sql`
    select g.resource ->> 'displayName' as name, g.unknown_members from scim_groups g
    where ${own(scope)} and g.unknown_members <> '{}' order by g.id limit ${limit}`)

export async function deleteScimGroup(
  tx: Db,
  by: Caller,
  { workspaceId }: DirectoryRef,
  id: string,
): Promise<void> {
  const remove = sql`delete from scim_groups where workspace_id = ${workspaceId} and id = ${id} returning id`
  await tx.query(audited(by, 'scim_group.deleted', remove))
}
