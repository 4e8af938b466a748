import { audited, auditedEach } from '#features/workspace/audit-log/index.ts'
import type { ApiKeyCredential } from '#kernel/api/bearer-keys.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller, Role } from '#kernel/api/scopes.ts'
import { minute } from '#kernel/base/durations.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly prefix: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

const shape = sql`
  id, name, scopes, prefix, member_id, ${iso(sql`expires_at`)} as expires_at, ${iso(sql`last_used_at`)} as last_used_at,
  ${iso(sql`created_at`)} as created_at, ${iso(sql`updated_at`)} as updated_at`

/** The columns of `shape`, for RETURNING: `iso` is not allowed there in a cluster. */
const shapeColumns = sql`id, name, scopes, prefix, member_id, expires_at, last_used_at, created_at, updated_at`
const changedKey = sql`select ${shape} from changed`

const activeKeys = (workspaceId: string): Sql =>
  sql`from api_keys where workspace_id = ${workspaceId} and deleted_at is null`

export const listKeys = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listAsJson(
    db,
    page,
    sql`select ${shape} ${activeKeys(workspaceId)} order by id desc ${limitOffset(page)}`,
    sql`select count(*) ${activeKeys(workspaceId)}`,
  )

export const keysOf = (db: Db, workspaceId: string): Promise<ApiKey[]> =>
  db.query(sql`select ${shape} ${activeKeys(workspaceId)} order by id`)

export async function findKey(db: Db, workspaceId: string, id: string): Promise<ApiKey | undefined> {
  const [key] = await db.query<ApiKey>(sql`select ${shape} ${activeKeys(workspaceId)} and id = ${id}`)
  return key
}

/** A key with the role of its member. */
export interface LockedKey extends ApiKey {
  readonly role: Role
}

export async function lockKey(tx: Db, workspaceId: string, id: string): Promise<LockedKey | undefined> {
  const role = sql`select m.role from members m where m.workspace_id = ${workspaceId} and m.id = api_keys.member_id`
  const [key] = await tx.query<LockedKey>(
    sql`select ${shape}, (${role}) as role ${activeKeys(workspaceId)} and id = ${id} for update`,
  )
  return key
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
  const [inserted] = await tx.query<ApiKey>(audited(by, 'api_key.created', insert, undefined, changedKey))
  return inserted
}

export async function insertHash(tx: Db, by: Caller, id: string, hash: Buffer): Promise<void> {
  await tx.query(sql`
    insert into api_key_hashes (hash, workspace_id, api_key_id, shown_to_member_id)
    values (${hash}, ${by.workspaceId}, ${id}, ${by.actorId})`)
}

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
  const [updated] = await tx.query<ApiKey>(audited(by, action, update, undefined, changedKey))
  return updated
}

/** The old secrets of a rotated key stay valid until then. */
export async function retireHashes(tx: Db, workspaceId: string, id: string, until: Date): Promise<void> {
  await tx.query(sql`
    update api_key_hashes set valid_until = least(coalesce(valid_until, ${until}), ${until})
    where workspace_id = ${workspaceId} and api_key_id = ${id}`)
}

export async function deleteKey(tx: Db, by: Caller, id: string): Promise<{ id: string } | undefined> {
  const remove = sql`
    update api_keys set deleted_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  const [deleted] = await tx.query<{ id: string }>(audited(by, 'api_key.deleted', remove))
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
  const ended = await tx.query<{ id: string }>(sql`
    update api_keys set deleted_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and member_id = ${memberId} and deleted_at is null
    returning id`)
  const ids = ended.map(({ id }) => id)
  await tx.query(sql`
    delete from api_key_hashes
    where workspace_id = ${by.workspaceId} and (api_key_id = any(${ids}::uuid[]) or shown_to_member_id = ${memberId})`)
  if (ids.length > 0) await tx.query(auditedEach(by, 'api_key.deleted', ids))
}

/** Deletes secrets that expired after a rotation. Runs daily. */
export const deleteExpiredSecrets = (now: Date): Sql =>
  sql`delete from api_key_hashes where valid_until < ${now}`

interface CredentialRow {
  readonly workspace_id: string
  readonly member_id: string
  readonly actor_id: string
  readonly member_email: string
  readonly role: ApiKeyCredential['role']
  readonly member_access: ApiKeyCredential['memberAccess']
  readonly api_key_id: string
  readonly scopes: readonly string[]
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
}

/** The only query of authentication. Also stores the time of use, at most once a minute, without delaying the request. */
export async function findCredential(db: Db, hash: Buffer): Promise<ApiKeyCredential | null> {
  const now = new Date()
  const [row] = await db.query<CredentialRow>(sql`
    select k.workspace_id, k.id as api_key_id, k.scopes, k.last_used_at,
      -- A rotated secret expires before its key; keys created with it must not outlive it.
      least(k.expires_at, h.valid_until) as expires_at,
      m.id as member_id, coalesce(h.shown_to_member_id, m.id) as actor_id, m.email as member_email, m.role,
      w.member_access
    from api_key_hashes h
    join api_keys k on k.workspace_id = h.workspace_id and k.id = h.api_key_id and k.deleted_at is null
    join members m on m.workspace_id = k.workspace_id and m.id = k.member_id
    join workspaces w on w.id = k.workspace_id
    where h.hash = ${hash} and (h.valid_until is null or h.valid_until > ${now})`)
  if (!row) return null
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > minute) {
    const markUsed = sql`update api_keys set last_used_at = ${now} where workspace_id = ${row.workspace_id} and id = ${row.api_key_id}`
    db.query(markUsed).catch(() => undefined) // failing to store the time of use must not fail the request
  }
  return {
    workspaceId: row.workspace_id,
    memberId: row.member_id,
    actorId: row.actor_id,
    memberEmail: row.member_email,
    directoryId: null,
    role: row.role,
    memberAccess: row.member_access,
    apiKeyId: row.api_key_id,
    accountId: null,
    sessionId: null,
    scopes: row.scopes,
    expiresAt: row.expires_at,
  }
}
