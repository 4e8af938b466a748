import { type Db, sql } from '#kernel/db.ts'

interface LongestValue {
  readonly smart_field_id: string
  readonly value: string
}

export const findLongestValues = (
  db: Db,
  workspaceId: string,
  fieldIds: readonly string[],
): Promise<LongestValue[]> =>
  db.query(sql`
    select distinct on (v.smart_field_id) v.smart_field_id, v.value
    from smart_field_values v
    join teammates t on t.workspace_id = v.workspace_id and t.id = v.teammate_id
    where v.workspace_id = ${workspaceId} and v.smart_field_id = any(${fieldIds}::uuid[])
      and t.active and t.deleted_at is null
    order by v.smart_field_id, char_length(v.value) desc, v.teammate_id`)

export async function findLongestAddress(db: Db, workspaceId: string): Promise<string | null> {
  const [row] = await db.query<{ address: string }>(sql`
    select e.address from emails e
    join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id
    where e.workspace_id = ${workspaceId} and e.deleted_at is null and t.active and t.deleted_at is null
    order by char_length(e.address) desc, e.id
    limit 1`)
  return row?.address ?? null
}
