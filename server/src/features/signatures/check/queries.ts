import { type Db, type Sql, sql } from '#kernel/db.ts'
import type { FieldCoverage } from './problems.ts'

const reached = (workspaceId: string, signatureId: string): Sql => sql`
  from recipients r
  join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
  where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId}`

export async function countRecipients(db: Db, workspaceId: string, signatureId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n ${reached(workspaceId, signatureId)}`,
  )
  return row?.n ?? 0
}

/** The values of these fields that recipients have. */
const reachedValues = (workspaceId: string, signatureId: string, fieldIds: readonly string[]): Sql => sql`
  from (select e.id, e.teammate_id ${reached(workspaceId, signatureId)}) e
  join smart_field_values v on v.workspace_id = ${workspaceId} and v.teammate_id = e.teammate_id
  where v.smart_field_id = any(${fieldIds}::uuid[]) and v.value_key <> ''`

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
    select e.id ${reachedValues(workspaceId, signatureId, fieldIds)}
    group by e.id order by sum(length(v.value)) desc, e.id limit ${count}`)
  return rows.map(row => row.id)
}
