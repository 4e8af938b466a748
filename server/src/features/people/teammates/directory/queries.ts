// Teammates of directories: adopted, released, removed and restored, many at once.
import { saveTeammateLabel } from '#features/measurement/analytics/index.ts'
import { auditedEach } from '#features/workspace/audit-log/index.ts'
import { keepSeatPeak } from '#features/workspace/billing/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { composed, type Db, sql } from '#kernel/db/db.ts'
import { tally } from '#kernel/db/tallies.ts'

export interface DirectoryTeammate {
  readonly id: string
  readonly source: 'manual' | 'directory'
  readonly integration_id: string | null
  readonly active: boolean
  readonly is_deleted: boolean
}

/** Locks teammates, also deleted ones, in the order of their ids. */
export const lockTeammates = (tx: Db, workspaceId: string, ids: readonly string[]) =>
  tx.query<DirectoryTeammate>(
    composed(sql`
      select id, source, integration_id, active, deleted_at is not null as is_deleted from teammates
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
      order by id
      for update`),
  )

/** Gives these teammates to the directory that the caller is. */
export async function adoptTeammates(tx: Db, by: Caller, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const adopt = (source: 'manual' | 'directory') => sql`
    update teammates set source = 'directory', integration_id = ${by.directoryId}::uuid, updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[]) and source = ${source}
      and integration_id is distinct from ${by.directoryId}::uuid
    returning id`
  await tx.query(adopt('directory'))
  await tx.query(sql`
    with adopted as (${adopt('manual')})
    ${tally(by.workspaceId, { 'teammates.manual': -1, 'teammates.directory': 1 }, sql`adopted`)}`)
  await tx.query(auditedEach(by, 'teammate.updated', ids))
}

/** The teammates of a directory that is disconnected: they can be changed by hand again. */
export const releaseTeammates = (tx: Db, by: Caller, integrationId: string) =>
  tx.query(sql`
    with released as (
      update teammates set source = 'manual', integration_id = null, updated_at = ${new Date()}
      where workspace_id = ${by.workspaceId} and integration_id = ${integrationId} and deleted_at is null
      returning id
    )
    ${tally(by.workspaceId, { 'teammates.manual': 1, 'teammates.directory': -1 }, sql`released`)}`)

export interface KeptValue {
  readonly smart_field_id: string
  readonly value: string
  readonly asset_id: string | null
  readonly crop: readonly number[] | null
}

/** The values of people who are about to be removed, by teammate. */
export async function valuesToKeep(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly KeptValue[]>> {
  const values = await tx.query<KeptValue & { readonly teammate_id: string }>(
    composed(sql`
      select teammate_id, smart_field_id, value, asset_id, crop from smart_field_values
      where workspace_id = ${workspaceId} and teammate_id = any(${ids}::uuid[])`),
  )
  const groups = Map.groupBy(values, row => row.teammate_id)
  return new Map([...groups].map(([id, list]) => [id, list.map(({ teammate_id: _, ...value }) => value)]))
}

/** Removes people who are locked, with their values. Their addresses are removed by the caller. */
export async function removeTeammates(tx: Db, by: Caller, ids: readonly string[]): Promise<string[]> {
  for (const id of ids) await saveTeammateLabel(tx, by.workspaceId, id)
  const now = new Date()
  // Not in RETURNING of the update: Citus refuses a subquery there.
  const primary = await tx.query<{ id: string; address: string }>(sql`
    select teammate_id as id, address from emails
    where workspace_id = ${by.workspaceId} and teammate_id = any(${ids}::uuid[]) and is_primary and deleted_at is null`)
  const emails = new Map(primary.map(({ id, address }) => [id, address]))
  const removed = await tx.query<{ id: string; source: string; active: boolean }>(sql`
    update teammates t set deleted_at = ${now}, updated_at = ${now}
    where t.workspace_id = ${by.workspaceId} and t.id = any(${ids}::uuid[]) and t.deleted_at is null
    returning t.id, t.source, t.active`)
  const removedIds = removed.map(({ id }) => id)
  if (removedIds.length === 0) return []
  if (removed.some(({ active }) => active)) await tx.query(keepSeatPeak(by.workspaceId))
  for (const [source, active] of [
    ['directory', true],
    ['directory', false],
    ['manual', true],
    ['manual', false],
  ] as const) {
    const amount = removed.filter(row => row.source === source && row.active === active).length
    if (amount > 0)
      await tx.query(
        tally(
          by.workspaceId,
          { [`teammates.${source}`]: -1, seats: active ? -1 : 0 },
          sql`generate_series(1, ${amount}::int)`,
        ),
      )
  }
  await tx.query(auditedEach(by, 'teammate.deleted', removedIds))
  await announce(
    tx,
    by.workspaceId,
    'teammate.deleted',
    removed.map(({ id, source }) => ({ id, email: emails.get(id) ?? null, source })),
  )
  const ofRemoved = sql`workspace_id = ${by.workspaceId} and teammate_id = any(${removedIds}::uuid[])`
  await tx.query(sql`delete from smart_field_values where ${ofRemoved}`)
  await tx.query(sql`delete from picture_fetches where ${ofRemoved}`)
  await tx.query(sql`delete from profile_changes where ${ofRemoved}`)
  return removedIds
}

/** People who were removed are back, active and with the same ids; values and addresses are written by the caller. */
export async function restoreTeammates(tx: Db, by: Caller, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`
    with restored as (
      update teammates set deleted_at = null, active = true, source = 'directory', integration_id = ${by.directoryId}::uuid,
        updated_at = ${new Date()}
      where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[]) and deleted_at is not null
      returning id
    )
    ${tally(by.workspaceId, { 'teammates.directory': 1, seats: 1 }, sql`restored`)}`)
  await tx.query(auditedEach(by, 'teammate.created', ids))
}

/** Marks teammates as changed. `changed` names the properties, for webhooks. */
export async function touchTeammates(
  tx: Db,
  by: Caller,
  changes: readonly { readonly id: string; readonly changed: readonly string[] }[],
): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ id }) => id)
  await tx.query(sql`
    update teammates set updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null`)
  await tx.query(auditedEach(by, 'teammate.updated', ids))
  await announce(
    tx,
    by.workspaceId,
    'teammate.updated',
    changes.map(({ id, changed }) => ({ id, changed })),
  )
}
