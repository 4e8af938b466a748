import { parsePortrait, portraitUrl, valueOrPortrait } from '#features/content/assets/index.ts'
import { audited, auditedEach } from '#features/workspace/audit-log/index.ts'
import { keepSeatPeak } from '#features/workspace/billing/index.ts'
import { emailShape } from '#features/workspace/emails/index.ts'
import { type SmartField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { withoutAccents } from '#kernel/api/sorting.ts'
import { newRow } from '#kernel/base/ids.ts'
import { filesAddress } from '#kernel/base/public-address.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { tally } from '#kernel/db/tallies.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'
import type { Teammate } from './schemas.ts'
import type { SmartFieldValues, StoredPicture } from './values.ts'

export type TeammateRow = Omit<Teammate, 'email' | 'smart_fields'> & {
  readonly values: Readonly<Record<string, string>> | null
  /** The size of all values. */
  readonly bytes: number
  /** `values` was not read, because the page is too large; it is read with its piece. */
  readonly is_left_out?: boolean
}

/**
 * Reads complete teammates, newest first; `ids` is a statement that selects their ids. PostgreSQL returns the values by
 * field id, and `assemble` adds the labels: doing this in PostgreSQL takes more than twice as long.
 */
export const rowsOf = (workspaceId: string, ids: Sql): Sql => sql`
  select t.id, addresses.emails, fields."values", fields.bytes, t.source, t.integration_id, t.active,
    ${iso(sql`t.created_at`)} as created_at, ${iso(sql`t.updated_at`)} as updated_at
  from (${ids}) page
  join teammates t on t.workspace_id = ${workspaceId} and t.id = page.id
  cross join lateral (
    select json_agg(email) as emails
    from (
      select ${emailShape} from emails e
      where e.workspace_id = ${workspaceId} and e.teammate_id = t.id and e.deleted_at is null
      order by e.is_primary desc, e.id
    ) email
  ) addresses
  cross join lateral (
    select json_object_agg(v.smart_field_id, ${valueOrPortrait(workspaceId)}) as "values",
      coalesce(sum(case when v.asset_id is null then octet_length(v.value) else 300 end), 0)::int as bytes
    from smart_field_values v
    where v.workspace_id = ${workspaceId} and v.teammate_id = t.id
  ) fields
  order by t.id desc`

/** `files` is the beginning of the addresses of the workspace's files. */
export function assemble(row: TeammateRow, fields: readonly SmartField[], files: string): Teammate {
  const { id, emails, values, bytes: _, is_left_out: __, ...rest } = row
  const email = emails[0]?.address ?? '' // the primary comes first
  const smart_fields = fields.map(
    ({ id: smart_field_id, label, kind, computed }): Teammate['smart_fields'][number] => {
      const value = computed ? email : (values?.[smart_field_id] ?? null)
      if (kind !== 'image') return { smart_field_id, label, value }
      const portrait = value === null ? undefined : parsePortrait(value, files)
      return {
        smart_field_id,
        label,
        value: portrait ? portraitUrl(portrait) : null,
        asset_id: portrait?.assetId ?? null,
      }
    },
  )
  return { id, email, emails, smart_fields, ...rest }
}

export const readRows = (db: Db, workspaceId: string, ids: Sql) =>
  db.query<TeammateRow>(rowsOf(workspaceId, ids))

export async function findTeammate(
  db: Db,
  workspaceId: string,
  publicUrl: string,
  id: string,
): Promise<Teammate | undefined> {
  const selectId = sql`select id from teammates where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`
  const [[row], fields] = await Promise.all([
    readRows(db, workspaceId, selectId),
    smartFieldsOf(db, workspaceId),
  ])
  return row && assemble(row, fields, filesAddress(publicUrl, workspaceId))
}

/** Sets updated_at of a teammate that is not deleted, and locks the row until the end of the transaction. */
const touch = (workspaceId: string, id: string): Sql => sql`
  update teammates set updated_at = ${new Date()}
  where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
  returning id`

export const lockTeammate = (tx: Db, workspaceId: string, id: string) => tx.hasRows(touch(workspaceId, id))

/** Locks the row without a change: `updated_at` stays. */
export const holdTeammate = (tx: Db, workspaceId: string, id: string) =>
  tx.hasRows(sql`
    select from teammates where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null for update`)

/** `changed` names the properties of the teammate, for webhooks. */
export async function auditUpdate(tx: Db, by: Caller, id: string, changed: readonly string[]): Promise<void> {
  await tx.query(auditedEach(by, 'teammate.updated', [id]))
  await announce(tx, by.workspaceId, 'teammate.updated', [{ id, changed }])
}

export async function touchEach(tx: Db, by: Caller, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update teammates set updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null`)
  await tx.query(auditedEach(by, 'teammate.updated', ids))
  const updates = ids.map(id => ({ id, changed: ['smart_fields'] }))
  await announce(tx, by.workspaceId, 'teammate.updated', updates)
}

/** Inserts a teammate without values for each primary address, and returns their ids in order. */
export async function insertTeammates(tx: Db, by: Caller, addresses: readonly string[]): Promise<string[]> {
  const teammates = addresses.map(email => ({ ...newRow(), email }))
  const ids = teammates.map(row => row.id)
  const source = by.directoryId === null ? 'manual' : 'directory'
  await tx.query(sql`
    with inserted as (
      insert into teammates (workspace_id, id, source, integration_id, created_at, updated_at)
      select ${by.workspaceId}::uuid, t.id, ${source}, ${by.directoryId}::uuid, t.created_at, t.created_at
      from unnest(${ids}::uuid[], ${teammates.map(row => row.now)}::timestamptz[]) as t (id, created_at)
      returning id
    )
    ${tally(by.workspaceId, { [`teammates.${source}`]: 1, seats: 1 }, sql`inserted`)}`)
  await tx.query(auditedEach(by, 'teammate.created', ids))
  const created = teammates.map(({ id, email }) => ({ id, email, source }))
  await announce(tx, by.workspaceId, 'teammate.created', created)
  return ids
}

/** `keepsCrops`: a teammate who has the same picture already keeps its crop. */
export async function writeValues(
  tx: Db,
  workspaceId: string,
  teammates: ReadonlyMap<string, SmartFieldValues>,
  keepsCrops = true,
): Promise<void> {
  const changes = [...teammates].flatMap(([teammate, values]) =>
    [...values].map(([field, value]) => ({ teammate, field, value })),
  )
  const cleared = changes.filter(({ value }) => value === null)
  const upserts = changes.flatMap(({ value, ...where }) =>
    value === null ? [] : [{ ...where, ...valueColumns(value) }],
  )
  const supersedes = changes.filter(({ value }) => typeof value !== 'string')
  if (supersedes.length > 0) {
    await tx.query(sql`
      delete from picture_fetches f
      using ${rows('gone', supersedes, {
        teammate_id: ['uuid', change => change.teammate],
        smart_field_id: ['uuid', change => change.field],
      })}
      where f.workspace_id = ${workspaceId} and f.teammate_id = gone.teammate_id and f.smart_field_id = gone.smart_field_id`)
  }
  if (cleared.length > 0) {
    await tx.query(sql`
      delete from smart_field_values v
      using unnest(${cleared.map(item => item.teammate)}::uuid[], ${cleared.map(item => item.field)}::uuid[]) as gone (teammate_id, smart_field_id)
      where v.workspace_id = ${workspaceId} and v.teammate_id = gone.teammate_id and v.smart_field_id = gone.smart_field_id`)
  }
  if (upserts.length > 0) {
    // Two texts, because Citus refuses a parameter behind ON CONFLICT of INSERT … SELECT.
    const crop = keepsCrops
      ? sql`case when stored.asset_id = excluded.asset_id then stored.crop else excluded.crop end`
      : sql`excluded.crop`
    // A text that stays the same is not written: an import of a whole company changes few of its values.
    await tx.query(sql`
      insert into smart_field_values as stored
        (workspace_id, teammate_id, smart_field_id, value, value_key, asset_id, crop)
      select ${workspaceId}::uuid, n.teammate_id, n.smart_field_id, n.value, n.value_key, n.asset_id, n.crop::real[]
      from ${rows('n', upserts, {
        teammate_id: ['uuid', item => item.teammate],
        smart_field_id: ['uuid', item => item.field],
        value: ['text', item => item.value],
        value_key: ['text', item => comparisonKey(item.value)],
        asset_id: ['uuid', item => item.assetId],
        crop: ['text', item => item.crop],
      })}
      on conflict (workspace_id, teammate_id, smart_field_id) do update
        set value = excluded.value, value_key = excluded.value_key, asset_id = excluded.asset_id,
          crop = ${crop}
        where (stored.value, stored.value_key) is distinct from (excluded.value, excluded.value_key)
          or stored.asset_id is not null or excluded.asset_id is not null`)
  }
  const changedFields = [...new Set(changes.map(({ field }) => field))]
  if (changedFields.length > 0) await saveNameKeys(tx, workspaceId, [...teammates.keys()], changedFields)
}

/**
 * The name that a list is sorted by, from first and last name, after one of these fields has changed. The migration that
 * added the column computes it in the same way.
 */
async function saveNameKeys(
  tx: Db,
  workspaceId: string,
  teammateIds: readonly string[],
  fieldIds: readonly string[],
): Promise<void> {
  const nameFields = sql`
    select id, key from smart_fields
    where workspace_id = ${workspaceId} and built_in and key in ('first_name', 'last_name')`
  await tx.query(sql`
    update teammates t set name_key = named.name_key
    from unnest(${teammateIds}::uuid[]) as changed (id)
    cross join lateral (
      select left(${withoutAccents(sql`string_agg(v.value_key, ' ' order by f.key)`)}, 200) as name_key
      from smart_field_values v join (${nameFields}) f on f.id = v.smart_field_id
      where v.workspace_id = ${workspaceId} and v.teammate_id = changed.id
    ) named
    where t.workspace_id = ${workspaceId} and t.id = changed.id and t.name_key is distinct from named.name_key
      and exists (select from (${nameFields}) f where f.id = any(${fieldIds}::uuid[]))`)
}

/** A value as the columns of its row. A crop is the text of an array, because a list of arrays has one length for all. */
export function valueColumns(value: string | StoredPicture) {
  if (typeof value === 'string') return { value, assetId: null, crop: null }
  const { assetId, crop } = value
  const array = crop && `{${crop.x},${crop.y},${crop.width},${crop.height}}`
  return { value: assetId, assetId, crop: array }
}

/** Keeps the row and its addresses, because past events refer to them; deletes the values. */
export async function deleteTeammate(
  tx: Db,
  by: Caller,
  { id, email, source, active }: Teammate,
): Promise<void> {
  const now = new Date()
  const remove = sql`
    update teammates set deleted_at = ${now}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  if (active) await tx.query(keepSeatPeak(by.workspaceId))
  await tx.query(
    audited(by, 'teammate.deleted', remove, { [`teammates.${source}`]: -1, seats: active ? -1 : 0 }),
  )
  await announce(tx, by.workspaceId, 'teammate.deleted', [{ id, email, source }])
  await tx.query(
    sql`delete from smart_field_values where workspace_id = ${by.workspaceId} and teammate_id = ${id}`,
  )
  await tx.query(
    sql`delete from picture_fetches where workspace_id = ${by.workspaceId} and teammate_id = ${id}`,
  )
  await tx.query(
    sql`delete from profile_changes where workspace_id = ${by.workspaceId} and teammate_id = ${id}`,
  )
}

/** The foreign key that fails when a field was deleted after it was read and before a value of it is written. */
export const touchOwnersOfField = 'smart_field_values_field'

/**
 * The addresses among these keys, ordered by teammate. Planned anew for each execution (`composed`): a plan from the time
 * when the tables were small compares every address with every key.
 */
const addressesAmong = (workspaceId: string, addressKeys: readonly string[]): Sql =>
  composed(sql`
    with found as materialized (
      select e.address_key, e.teammate_id from unnest(${addressKeys}::text[]) as sent (address_key)
      join emails e on e.workspace_id = ${workspaceId} and e.address_key = sent.address_key and e.deleted_at is null
      order by e.teammate_id
    )`)

/**
 * A row of `teammates` for each address in `found`. Lateral with `offset 0`, and `deleted_at` compared outside: the
 * primary key is the only index that PostgreSQL can use. In the first minute of a database, before ANALYZE, it takes
 * almost all rows for deleted, and a join compared every teammate with every address: 4 s for 500 addresses of 10,000.
 */
const ownersIn = (workspaceId: string, columns: Sql, lock: Sql = empty): Sql => sql`
  cross join lateral (
    select ${columns}, deleted_at from teammates where workspace_id = ${workspaceId} and id = found.teammate_id
    offset 0 ${lock}) t
  where t.deleted_at is null`

/** The ids of teammates by address key. Locks the teammates until the end of the transaction. */
export async function ownersOf(
  tx: Db,
  workspaceId: string,
  addressKeys: readonly string[],
): Promise<Map<string, string>> {
  const owners = await tx.query<{ address_key: string; teammate_id: string }>(sql`
    ${addressesAmong(workspaceId, addressKeys)}
    select found.address_key, found.teammate_id from found
    ${ownersIn(workspaceId, sql`id`, sql`for update`)}`)
  return new Map(owners.map(row => [row.address_key, row.teammate_id]))
}

export interface AddressOwner {
  readonly address_key: string
  readonly teammate_id: string
  readonly active: boolean
}

/** Like `ownersOf`, without locks. */
export const findOwners = (db: Db, workspaceId: string, addressKeys: readonly string[]) =>
  db.query<AddressOwner>(sql`
    ${addressesAmong(workspaceId, addressKeys)}
    select found.address_key, found.teammate_id, t.active from found
    ${ownersIn(workspaceId, sql`active`)}`)

interface ComparedValue {
  readonly teammate_id: string
  readonly smart_field_id: string
  /** The id of the asset of an image field. */
  readonly value: string
}

/** Planned anew for each execution, like `addressesAmong`. */
export const storedValuesOf = (db: Db, workspaceId: string, teammateIds: readonly string[]) =>
  db.query<ComparedValue>(
    composed(sql`
      select t.id as teammate_id, v.smart_field_id, v.value from unnest(${teammateIds}::uuid[]) as t (id)
      cross join lateral (
        select smart_field_id, value from smart_field_values
        where workspace_id = ${workspaceId} and teammate_id = t.id offset 0) v`),
  )

/** Switches teammates on or off, without their signatures: see `setActive`. Returns those that have changed. */
export async function updateActive(
  tx: Db,
  by: Caller,
  ids: readonly string[],
  active: boolean,
): Promise<string[]> {
  if (!active && ids.length > 0) await tx.query(keepSeatPeak(by.workspaceId))
  const changed = await tx.query<{ id: string }>(sql`
    with changed as (
      update teammates set active = ${active}, updated_at = ${new Date()}
      where workspace_id = ${by.workspaceId} and id = any (${[...ids].sort()}::uuid[]) and active <> ${active}
        and deleted_at is null
      returning id
    ),
    counted as (${tally(by.workspaceId, { seats: active ? 1 : -1 }, sql`changed`)})
    select id from changed`)
  const changedIds = changed.map(({ id }) => id)
  if (changedIds.length === 0) return []
  await tx.query(auditedEach(by, active ? 'teammate.activated' : 'teammate.deactivated', changedIds))
  const updates = changedIds.map(id => ({ id, changed: ['active'] }))
  await announce(tx, by.workspaceId, 'teammate.updated', updates)
  return changedIds
}

/** PostgreSQL counts the people of all workspaces again, from a sample. Not inside a transaction that writes them. */
export const analyzePeople = (db: Db) =>
  db.query(sql`analyze (skip_locked) teammates, emails, smart_field_values`)
