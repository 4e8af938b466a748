import { audited, auditedEach } from '#features/workspace/audit-log/index.ts'
import type { ApiKeyCredential } from '#kernel/api/bearer-keys.ts'
import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller, Role } from '#kernel/api/scopes.ts'
import { minute } from '#kernel/base/durations.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { ApiKey } from './schemas.ts'

const shape = sql`
  id, name, scopes, prefix, member_id, ${iso(sql`expires_at`)} as expires_at, ${iso(sql`last_used_at`)} as last_used_at,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

/** The columns of `shape`, for RETURNING: `iso` is not allowed there in a cluster. */
const shapeColumns = sql`id, name, scopes, prefix, member_id, expires_at, last_used_at, created_at, updated_at`
const changedKey = sql`select ${shape} from changed`

const activeKeys = (workspaceId: string): Sql =>
  sql`from api_keys where workspace_id = ${workspaceId} and deleted_at is null`

export const listKeys = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listRows(db, page, shape, activeKeys(workspaceId))

export const keysOf = (db: Db, workspaceId: string) =>
  db.query<ApiKey>(sql`select ${shape} ${activeKeys(workspaceId)} order by id`)

export const findKey = (db: Db, workspaceId: string, id: string) =>
  db.first<ApiKey>(sql`select ${shape} ${activeKeys(workspaceId)} and id = ${id}`)

/** A key with the role of its member. */
export interface LockedKey extends ApiKey {
  readonly role: Role
}

export async function lockKey(tx: Db, workspaceId: string, id: string): Promise<LockedKey | undefined> {
  const role = sql`select m.role from members m where m.workspace_id = ${workspaceId} and m.id = api_keys.member_id`
  return tx.first<LockedKey>(
    sql`select ${shape}, (${role}) as role ${activeKeys(workspaceId)} and id = ${id} for update`,
  )
}

interface KeyRow {
  readonly memberId: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly prefix: string
  readonly expiresAt: Date | null
}

/** Undefined when the member was removed meanwhile. The lock makes a removal wait, which then ends this key too. */
export async function insertKey(tx: Db, by: Caller, key: KeyRow): Promise<ApiKey | undefined> {
  const { id, now } = newRow()
  const member = sql`
    select id from members where workspace_id = ${by.workspaceId} and id = ${key.memberId} for key share`
  const insert = sql`
    insert into api_keys (workspace_id, id, member_id, name, scopes, prefix, expires_at, created_at, updated_at)
    select ${by.workspaceId}::uuid, ${id}::uuid, m.id, ${key.name}, ${key.scopes}::text[], ${key.prefix},
      ${key.expiresAt}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from (${member}) m
    returning ${shapeColumns}`
  return tx.first<ApiKey>(audited(by, 'api_key.created', insert, undefined, changedKey))
}

export const insertHash = (tx: Db, by: Caller, id: string, hash: Buffer) =>
  tx.query(sql`
    insert into api_key_hashes (hash, workspace_id, api_key_id, shown_to_member_id)
    values (${hash}, ${by.workspaceId}, ${id}, ${by.actorId})`)

type KeyColumns = Pick<ApiKey, 'name' | 'scopes' | 'expires_at' | 'prefix'>

export async function updateKey(
  tx: Db,
  by: Caller,
  id: string,
  action: string,
  key: KeyColumns,
): Promise<ApiKey | undefined> {
  const update = sql`
    update api_keys set name = ${key.name}, scopes = ${key.scopes}, expires_at = ${key.expires_at}, prefix = ${key.prefix},
      updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning ${shapeColumns}`
  return tx.first<ApiKey>(audited(by, action, update, undefined, changedKey))
}

/** The old secrets of a rotated key stay valid until then. */
export const retireHashes = (tx: Db, workspaceId: string, id: string, until: Date) =>
  tx.query(sql`
    update api_key_hashes set valid_until = least(coalesce(valid_until, ${until}), ${until})
    where workspace_id = ${workspaceId} and api_key_id = ${id}`)

export async function deleteKey(tx: Db, by: Caller, id: string): Promise<{ id: string } | undefined> {
  const remove = sql`
    update api_keys set deleted_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  const deleted = await tx.first<{ id: string }>(audited(by, 'api_key.deleted', remove))
  await tx.query(
    sql`delete from api_key_hashes where workspace_id = ${by.workspaceId} and api_key_id = ${id}`,
  )
  return deleted
}

/**
 * Revokes the keys of a member who is removed, and the secrets of other keys that were shown to this member: the person
 * can still know them.
 */
export async function endKeysOf(tx: Db, by: Caller, memberId: string): Promise<void> {
  const ids = await tx.column<string>(sql`
    update api_keys set deleted_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and member_id = ${memberId} and deleted_at is null
    returning id`)
  await tx.query(sql`
    delete from api_key_hashes
    where workspace_id = ${by.workspaceId} and (api_key_id = any(${ids}::uuid[]) or shown_to_member_id = ${memberId})`)
  if (ids.length > 0) await tx.query(auditedEach(by, 'api_key.deleted', ids))
}

/** Deletes secrets that expired after a rotation. Runs daily. */
export const deleteExpiredSecrets = (now: Date): Sql =>
  sql`delete from api_key_hashes where valid_until < ${now}`

interface CredentialRow extends Omit<ApiKeyCredential, 'directoryId' | 'accountId' | 'sessionId'> {
  readonly lastUsedAt: Date | null
}

/** The only query of authentication. Also stores the time of use, at most once a minute, without delaying the request. */
export async function findCredential(db: Db, hash: Buffer): Promise<ApiKeyCredential | null> {
  const now = new Date()
  const row = await db.first<CredentialRow>(sql`
    select k.workspace_id as "workspaceId", k.id as "apiKeyId", k.scopes, k.last_used_at as "lastUsedAt",
      -- A rotated secret expires before its key; keys created with it must not outlive it.
      least(k.expires_at, h.valid_until) as "expiresAt",
      m.id as "memberId", coalesce(h.shown_to_member_id, m.id) as "actorId", m.email as "memberEmail", m.role,
      w.member_access as "memberAccess"
    from api_key_hashes h
    join api_keys k on k.workspace_id = h.workspace_id and k.id = h.api_key_id and k.deleted_at is null
    join members m on m.workspace_id = k.workspace_id and m.id = k.member_id
    join workspaces w on w.id = k.workspace_id
    where h.hash = ${hash} and (h.valid_until is null or h.valid_until > ${now})`)
  if (!row) return null
  const { lastUsedAt, ...credential } = row
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > minute) {
    const markUsed = sql`update api_keys set last_used_at = ${now} where workspace_id = ${row.workspaceId} and id = ${row.apiKeyId}`
    db.query(markUsed).catch(() => undefined) // failing to store the time of use must not fail the request
  }
  return { ...credential, directoryId: null, accountId: null, sessionId: null }
}
