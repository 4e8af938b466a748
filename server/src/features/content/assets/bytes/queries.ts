// Leases and removals of bytes in the file store. A lease protects bytes that no asset row refers to yet; a removal
// reserves bytes for deletion. Both are rows that expire by the database clock, so no connection is held while the file
// store works.

import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { inUse, isServed } from '../queries.ts'

const bytesLock = (workspaceId: string, hash: string): Sql =>
  namedLock(locks.assetBytes, `${workspaceId}/${hash}`)

/** Longer than the file store's timeout for writing one file. */
const leaseTime = sql`interval '10 minutes'`
/** Longer than the file store's timeout for deleting one file; renewed before each file. */
const removalTime = sql`interval '2 minutes'`
// Not `now()`: that is the start of the transaction, which can have waited for a lock since then. Not
// `clock_timestamp()`: Citus refuses it in changes.
const now = sql`statement_timestamp()`

/** Shared lock: uploads and renditions can hold it at the same time, until their transaction ends. */
export const lockBytesShared = (tx: Db, workspaceId: string, hash: string) =>
  tx.query(sql`select pg_advisory_xact_lock_shared(${bytesLock(workspaceId, hash)})`)

/** Exclusive lock, for the removal job. */
export const lockBytes = (tx: Db, workspaceId: string, hash: string) =>
  tx.query(sql`select pg_advisory_xact_lock(${bytesLock(workspaceId, hash)})`)

/** Returns the id of the new lease; undefined while these bytes are being removed. Call `lockBytesShared` first. */
export const insertLease = (tx: Db, workspaceId: string, hash: string) =>
  tx.value<string>(sql`
    insert into asset_byte_leases (workspace_id, content_hash, id, leased_until)
    select ${workspaceId}, ${hash}, ${newRow().id}, ${now} + ${leaseTime}
    where not exists (
      select from asset_byte_removals
      where workspace_id = ${workspaceId} and content_hash = ${hash} and removing_until > ${now})
    returning id`)

/** False when the lease has expired: the bytes can be deleted by now. */
export const endLease = (tx: Db, workspaceId: string, hash: string, id: string) =>
  tx.hasRows(sql`
    delete from asset_byte_leases
    where workspace_id = ${workspaceId} and content_hash = ${hash} and id = ${id} and leased_until > ${now}
    returning id`)

export interface StoredBytes {
  readonly workspace_id: string
  readonly content_hash: string
}

/** Leases of failed uploads: the process crashed, or the request failed after its bytes were stored. */
export const listExpiredLeases = (db: Db) =>
  db.query<StoredBytes>(sql`
    select distinct workspace_id, content_hash from asset_byte_leases where leased_until < ${now} limit 10000`)

export const deleteExpiredLeases = (db: Db, workspaceId: string, hash: string) =>
  db.query(sql`
    delete from asset_byte_leases
    where workspace_id = ${workspaceId} and content_hash = ${hash} and leased_until < ${now}`)

/** No removal starts while this session is open. A backup needs it, so that it contains the file of every row. */
export const pauseRemovals: Sql = sql`select pg_advisory_lock(${locks.assetRemovals})`

export async function canRemove(tx: Db): Promise<boolean> {
  const lock = await tx.first<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${locks.assetRemovals}) as free`,
  )
  return lock?.free === true
}

/** True if a served asset has these bytes. */
export const areServed = (tx: Db, workspaceId: string, hash: string) =>
  tx.hasRows(sql`
    select from assets a where a.workspace_id = ${workspaceId} and a.content_hash = ${hash} and ${isServed(workspaceId)} limit 1`)

export const areLeased = (tx: Db, workspaceId: string, hash: string) =>
  tx.hasRows(sql`
    select from asset_byte_leases
    where workspace_id = ${workspaceId} and content_hash = ${hash} and leased_until > ${now} limit 1`)

/** Returns the id of the new removal; undefined while another one is running. Call `lockBytes` first. */
export async function insertRemoval(tx: Db, workspaceId: string, hash: string): Promise<string | undefined> {
  await tx.query(sql`
    delete from asset_byte_removals
    where workspace_id = ${workspaceId} and content_hash = ${hash} and removing_until < ${now}`)
  return tx.value<string>(sql`
    insert into asset_byte_removals (workspace_id, content_hash, id, removing_until)
    values (${workspaceId}, ${hash}, ${newRow().id}, ${now} + ${removalTime})
    on conflict (workspace_id, content_hash) do nothing
    returning id`)
}

const isRemoving = (workspaceId: string, hash: string, id: string): Sql =>
  sql`workspace_id = ${workspaceId} and content_hash = ${hash} and id = ${id} and removing_until > ${now}`

/** False when the removal has expired: another upload can need the bytes by now. */
export const renewRemoval = (tx: Db, workspaceId: string, hash: string, id: string) =>
  tx.hasRows(sql`
    update asset_byte_removals set removing_until = ${now} + ${removalTime}
    where ${isRemoving(workspaceId, hash, id)}
    returning id`)

/** Ends the removal. False when it has expired. */
export const endRemoval = (tx: Db, workspaceId: string, hash: string, id: string) =>
  tx.hasRows(sql`
    delete from asset_byte_removals where ${isRemoving(workspaceId, hash, id)} returning id`)

export const recordRendition = (tx: Db, workspaceId: string, hash: string, name: string) =>
  tx.query(sql`
    insert into asset_renditions (workspace_id, content_hash, name) values (${workspaceId}, ${hash}, ${name})
    on conflict do nothing`)

export const listRenditions = (db: Db, workspaceId: string, hash: string) =>
  db.column<string>(sql`
    select name from asset_renditions where workspace_id = ${workspaceId} and content_hash = ${hash}`)

export const deleteRenditions = (tx: Db, workspaceId: string, hash: string) =>
  tx.query(sql`
    delete from asset_renditions where workspace_id = ${workspaceId} and content_hash = ${hash}`)

const isRemovable = (workspace: Sql): Sql =>
  sql`a.deleted_at is not null and a.bytes_removed_at is null and not ${inUse(workspace)}`

/** The content hash of a deleted asset that is not in use and still has its bytes; else undefined. */
export const removableHashOf = (db: Db, workspaceId: string, id: string) =>
  db.value<string>(sql`
    select a.content_hash from assets a where a.workspace_id = ${workspaceId} and a.id = ${id} and ${isRemovable(sql`${workspaceId}`)}`)

/** All assets whose bytes can be removed, including those whose last reference ended after the deletion. */
export const listRemovals = (db: Db) =>
  db.query<{ workspace_id: string; id: string }>(
    sql`select a.workspace_id, a.id from assets a where ${isRemovable(sql`a.workspace_id`)} limit 10000`,
  )

export const markRemoved = (db: Db, workspaceId: string, id: string) =>
  db.query(sql`
    update assets a set bytes_removed_at = ${now}
    where a.workspace_id = ${workspaceId} and a.id = ${id} and ${isRemovable(sql`${workspaceId}`)}`)
