import { type Db, type Sql, sql } from '#kernel/db.ts'
import type { FieldCoverage } from './problems.ts'

export async function countRecipients(db: Db, workspaceId: string, signatureId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*)::int as n from recipients
    where workspace_id = ${workspaceId} and signature_id = ${signatureId}`)
  return row?.n ?? 0
}

/** Values are counted among this many recipients, which takes PostgreSQL about a second. */
export const maxCounted = 100_000

/**
 * The values of these fields that recipients have. Lateral with `offset 0`, and all but the keys compared outside: two
 * lookups by primary key per recipient. Before ANALYZE, PostgreSQL would read all addresses for each recipient.
 */
const reachedValues = (workspaceId: string, signatureId: string, fieldIds: readonly string[]): Sql => sql`
  from (
    select workspace_id, email_id from recipients
    where workspace_id = ${workspaceId} and signature_id = ${signatureId} limit ${maxCounted}) r
  cross join lateral (
    select teammate_id, deleted_at from emails where workspace_id = r.workspace_id and id = r.email_id offset 0) e
  cross join lateral (
    select smart_field_id, value, value_key from smart_field_values
    where workspace_id = r.workspace_id and teammate_id = e.teammate_id offset 0) v
  where e.deleted_at is null and v.smart_field_id = any(${fieldIds}::uuid[]) and v.value_key <> ''`

/** By smart field. Counts in PostgreSQL, so the answer is small for any number of recipients. */
export async function findFieldUses(
  db: Db,
  workspaceId: string,
  signatureId: string,
  fieldIds: readonly string[],
): Promise<Map<string, FieldCoverage>> {
  if (fieldIds.length === 0) return new Map()
  const rows = await db.query<FieldCoverage & { readonly id: string }>(sql`
    select v.smart_field_id as id, count(*)::int as filled, max(length(v.value)) as longest
    ${reachedValues(workspaceId, signatureId, fieldIds)}
    group by v.smart_field_id`)
  return new Map(rows.map(({ id, filled, longest }) => [id, { filled, longest }]))
}

/** The recipients whose values have the most characters, the longest first. */
export async function longestRecipients(
  db: Db,
  workspaceId: string,
  signatureId: string,
  fieldIds: readonly string[],
  count: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select r.email_id as id ${reachedValues(workspaceId, signatureId, fieldIds)}
    group by r.email_id order by sum(length(v.value)) desc, r.email_id limit ${count}`)
  return rows.map(row => row.id)
}
