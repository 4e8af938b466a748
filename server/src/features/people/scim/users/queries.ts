import { type DirectoryRef, ofDirectory } from '#features/people/directories/index.ts'
import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { ScimJson } from '../attributes.ts'
import { userFilters } from '../filters/attributes.ts'
import type { ScimFilter } from '../filters/parse.ts'
import { type FilterSource, filterSql, isLowerUuid } from '../filters/queries.ts'
import type { StoredResource } from '../resources.ts'

export interface ScimUser extends StoredResource {
  readonly person_id: string
  readonly is_active: boolean
}

/** The columns that lists are filtered by. */
interface UserKeys {
  readonly userName: string
  readonly displayName: string | null
  readonly externalId: string | null
  readonly emails: readonly string[]
  readonly workEmails: readonly string[]
  readonly managerId: string | null
}

const columns = sql`id, person_id, resource, is_active, created_at, updated_at`
const living = (scope: DirectoryRef): Sql => sql`${ofDirectory(scope)} and deleted_at is null`

export const findScimUser = (db: Db, scope: DirectoryRef, id: string) =>
  db.first<ScimUser>(sql`select ${columns} from scim_users where ${living(scope)} and id = ${id}`)

const filterSource: FilterSource = {
  attributes: userFilters,
  resource: sql`resource`,
  columns: {
    id: sql`id::text`,
    externalid: sql`external_id`,
    active: sql`is_active::text`,
    'manager.value': sql`manager_id`,
    'meta.resourcetype': sql`'User'`,
    'meta.created': sql`created_at`,
    'meta.lastmodified': sql`updated_at`,
  },
  equals: {
    id: text => (isLowerUuid(text) ? sql`id = ${text}` : sql`false`),
    externalid: text => sql`(external_id = ${text} and external_id is not null)`,
    username: text => sql`user_name_key = ${comparisonKey(text)}`,
    displayname: text => sql`(display_name_key = ${comparisonKey(text)} and display_name_key is not null)`,
    'emails.value': text => sql`email_keys @> ${[comparisonKey(text)]}::text[]`,
  },
  lists: {},
}

export interface ScimPage {
  readonly offset: number
  readonly limit: number
}

export async function listScimUsers(
  db: Db,
  scope: DirectoryRef,
  filter: ScimFilter | null,
  { offset, limit }: ScimPage,
): Promise<{ readonly resources: ScimUser[]; readonly total: number }> {
  const where = filter === null ? empty : sql`and ${filterSql(filter, filterSource)}`
  const total = await db.number(
    composed(sql`select count(*)::int as n from scim_users where ${living(scope)} ${where}`),
  )
  if (limit === 0 || offset >= total) return { resources: [], total }
  const resources = await db.query<ScimUser>(
    composed(sql`
      select ${columns} from scim_users where ${living(scope)} ${where}
      order by id limit ${limit} offset ${offset}`),
  )
  return { resources, total }
}

/** A page of users after this id, for a directory whose settings have changed. */
export const scimUsersAfter = (db: Db, scope: DirectoryRef, after: string | null, limit: number) =>
  db.query<ScimUser>(sql`
    select ${columns} from scim_users where ${living(scope)} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`)

/** The person whom the provider has deleted and creates anew; the row of the old user is not needed any more. */
export const takeDeletedPerson = (tx: Db, scope: DirectoryRef, { userName, externalId }: UserKeys) =>
  tx.value<string>(sql`
    delete from scim_users where workspace_id = ${scope.workspaceId} and id = (
      select u.id from scim_users u
      join directory_people p on p.workspace_id = u.workspace_id and p.integration_id = u.integration_id
        and p.external_id = u.person_id::text
      where ${ofDirectory(scope, 'u')} and u.deleted_at is not null
        and (u.user_name_key = ${userName} or u.external_id = ${externalId}::text)
      order by (u.external_id is not distinct from ${externalId}::text) desc, u.deleted_at desc limit 1)
    returning person_id`)

export interface SavedUser {
  readonly resource: ScimJson
  readonly isActive: boolean
  readonly keys: UserKeys
}

export async function insertScimUser(
  tx: Db,
  by: Caller,
  { workspaceId, integrationId }: DirectoryRef,
  { id, now, personId }: { readonly id: string; readonly now: Date; readonly personId: string },
  { resource, isActive, keys }: SavedUser,
): Promise<void> {
  const insert = sql`
    insert into scim_users (workspace_id, integration_id, id, person_id, resource, user_name_key, display_name_key, external_id,
      is_active, email_keys, work_email_keys, manager_id, created_at, updated_at)
    values (${workspaceId}, ${integrationId}, ${id}, ${personId}, ${JSON.stringify(resource)}, ${keys.userName},
      ${keys.displayName}, ${keys.externalId}, ${isActive}, ${keys.emails}::text[], ${keys.workEmails}::text[],
      ${keys.managerId}, ${now}, ${now})`
  await tx.query(auditedInsert(by, 'scim_user.created', id, insert))
}

/** Writes nothing where nothing has changed. */
export async function updateScimUser(
  tx: Db,
  by: Caller,
  { workspaceId }: DirectoryRef,
  id: string,
  { resource, isActive, keys }: SavedUser,
): Promise<void> {
  const text = JSON.stringify(resource)
  const update = sql`
    update scim_users set resource = ${text}, user_name_key = ${keys.userName}, display_name_key = ${keys.displayName},
      external_id = ${keys.externalId}, is_active = ${isActive}, email_keys = ${keys.emails}::text[],
      work_email_keys = ${keys.workEmails}::text[], manager_id = ${keys.managerId}, updated_at = ${new Date()}
    where workspace_id = ${workspaceId} and id = ${id} and resource <> ${text}::jsonb
    returning id`
  await tx.query(audited(by, 'scim_user.updated', update))
}

export async function markScimUserDeleted(
  tx: Db,
  by: Caller,
  { workspaceId }: DirectoryRef,
  id: string,
): Promise<void> {
  const now = new Date()
  const remove = sql`
    update scim_users set resource = '{}', email_keys = '{}', work_email_keys = '{}', display_name_key = null,
      manager_id = null, is_active = false, deleted_at = ${now}, updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, 'scim_user.deleted', remove))
}

/** Rows of deleted users whom the directory does not know any more either. */
export const deleteForgottenUsers = sql`
  delete from scim_users u where u.deleted_at is not null and not exists (
    select from directory_people p
    where p.workspace_id = u.workspace_id and p.integration_id = u.integration_id and p.external_id = u.person_id::text)`

/** Deletes what an identity provider has sent: it is personal data, and goes with the connection. */
export const forgetScim = (scope: DirectoryRef): readonly Sql[] => [
  sql`delete from scim_users where ${ofDirectory(scope)}`,
  sql`delete from scim_groups where ${ofDirectory(scope)}`,
]
