import { audited, auditedEach } from '#features/audit-log/index.ts'
import { type Email, emailShape } from '#features/emails/index.ts'
import { type SmartField, smartFieldsOf } from '#features/smart-fields/index.ts'
import { type Db, type Sql, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'
import type { Caller } from '#kernel/scopes.ts'
import { tally } from '#kernel/tallies.ts'
import { comparisonKey, iso } from '#kernel/text.ts'
import type { SmartFieldValues } from './values.ts'

interface Value {
  readonly smart_field_id: string
  readonly label: string
  readonly value: string | null
}

export interface Teammate {
  readonly id: string
  readonly email: string
  readonly emails: readonly Email[]
  readonly smart_fields: readonly Value[]
  readonly source: 'manual' | 'directory'
  readonly integration_id: string | null
  readonly active: boolean
  readonly created_at: string
  readonly updated_at: string
}

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
      where e.workspace_id = t.workspace_id and e.teammate_id = t.id and e.deleted_at is null
      order by e.is_primary desc, e.id
    ) email
  ) addresses
  cross join lateral (
    select json_object_agg(v.smart_field_id, v.value) as "values", coalesce(sum(octet_length(v.value)), 0)::int as bytes
    from smart_field_values v
    where v.workspace_id = t.workspace_id and v.teammate_id = t.id
  ) fields
  order by t.id desc`

export function assemble(row: TeammateRow, fields: readonly SmartField[]): Teammate {
  const { id, emails, values, bytes: _, is_left_out: __, ...rest } = row
  const email = emails[0]?.address ?? '' // the primary comes first
  const smart_fields = fields.map(field => ({
    smart_field_id: field.id,
    label: field.label,
    value: field.computed ? email : (values?.[field.id] ?? null),
  }))
  return { id, email, emails, smart_fields, ...rest }
}

export const readRows = (db: Db, workspaceId: string, ids: Sql): Promise<TeammateRow[]> =>
  db.query(rowsOf(workspaceId, ids))

export async function findTeammate(db: Db, workspaceId: string, id: string): Promise<Teammate | undefined> {
  const selectId = sql`select id from teammates where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null`
  const [[row], fields] = await Promise.all([
    readRows(db, workspaceId, selectId),
    smartFieldsOf(db, workspaceId),
  ])
  return row && assemble(row, fields)
}

/** Sets updated_at of a teammate that is not deleted, and locks the row until the end of the transaction. */
const touch = (workspaceId: string, id: string): Sql => sql`
  update teammates set updated_at = ${new Date()}
  where workspace_id = ${workspaceId} and id = ${id} and deleted_at is null
  returning id`

export async function lockTeammate(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  return (await tx.query(touch(workspaceId, id))).length > 0
}

export async function auditUpdate(tx: Db, by: Caller, id: string): Promise<void> {
  await tx.query(auditedEach(by, 'teammate.updated', [id]))
}

export async function touchEach(tx: Db, by: Caller, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update teammates set updated_at = ${new Date()}
    where workspace_id = ${by.workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null`)
  await tx.query(auditedEach(by, 'teammate.updated', ids))
}

/** Inserts teammates without values, and returns their ids in order. */
export async function insertTeammates(tx: Db, by: Caller, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => newRow())
  const ids = rows.map(row => row.id)
  const source = by.directoryId === null ? 'manual' : 'directory'
  await tx.query(sql`
    with inserted as (
      insert into teammates (workspace_id, id, source, created_at, updated_at)
      select ${by.workspaceId}::uuid, t.id, ${source}, t.created_at, t.created_at
      from unnest(${ids}::uuid[], ${rows.map(row => row.now)}::timestamptz[]) as t (id, created_at)
      returning id
    )
    ${tally(by.workspaceId, { [`teammates.${source}`]: 1, seats: 1 }, sql`inserted`)}`)
  await tx.query(auditedEach(by, 'teammate.created', ids))
  return ids
}

export async function writeValues(
  tx: Db,
  workspaceId: string,
  teammates: ReadonlyMap<string, SmartFieldValues>,
): Promise<void> {
  const changes = [...teammates].flatMap(([teammate, values]) =>
    [...values].map(([field, value]) => ({ teammate, field, value })),
  )
  const cleared = changes.filter(({ value }) => value === null)
  const upserts = changes.flatMap(({ value, ...where }) => (value === null ? [] : [{ ...where, value }]))
  if (cleared.length > 0) {
    await tx.query(sql`
      delete from smart_field_values v
      using unnest(${cleared.map(item => item.teammate)}::uuid[], ${cleared.map(item => item.field)}::uuid[]) as gone (teammate_id, smart_field_id)
      where v.workspace_id = ${workspaceId} and v.teammate_id = gone.teammate_id and v.smart_field_id = gone.smart_field_id`)
  }
  if (upserts.length > 0) {
    await tx.query(sql`
      insert into smart_field_values (workspace_id, teammate_id, smart_field_id, value, value_key)
      select ${workspaceId}::uuid, v.* from unnest(${upserts.map(item => item.teammate)}::uuid[], ${upserts.map(item => item.field)}::uuid[],
        ${upserts.map(item => item.value)}::text[], ${upserts.map(item => comparisonKey(item.value))}::text[]) as v
      on conflict (workspace_id, teammate_id, smart_field_id)
        do update set value = excluded.value, value_key = excluded.value_key`)
  }
}

/** Keeps the row and its addresses, because past events refer to them; deletes the values. */
export async function deleteTeammate(tx: Db, by: Caller, { id, source, active }: Teammate): Promise<void> {
  const now = new Date()
  const remove = sql`
    update teammates set deleted_at = ${now}, updated_at = ${now}
    where workspace_id = ${by.workspaceId} and id = ${id} and deleted_at is null
    returning id`
  await tx.query(
    audited(by, 'teammate.deleted', remove, { [`teammates.${source}`]: -1, seats: active ? -1 : 0 }),
  )
  await tx.query(
    sql`delete from smart_field_values where workspace_id = ${by.workspaceId} and teammate_id = ${id}`,
  )
}

/** The foreign key that fails when a field was deleted after it was read and before a value of it is written. */
export const touchOwnersOfField = 'smart_field_values_field'

/** The ids of teammates by address key. Locks the teammates until the end of the transaction. */
export async function ownersOf(
  tx: Db,
  workspaceId: string,
  addressKeys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ address_key: string; teammate_id: string }>(sql`
    select e.address_key, e.teammate_id from emails e
    join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and t.deleted_at is null
      and e.address_key = any(${addressKeys}::text[])
    order by t.id
    for update of t`)
  return new Map(rows.map(row => [row.address_key, row.teammate_id]))
}
