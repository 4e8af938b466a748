import { type Db, type Sql, sql } from '#kernel/db/db.ts'

/** Bounds the work: there is no index by length, and a workspace can have millions of values. */
const maxPeople = 20_000

const activePeople = (workspaceId: string): Sql => sql`(
  select id from teammates where workspace_id = ${workspaceId} and active and deleted_at is null
  order by id desc limit ${maxPeople})`

/** Values of each field. The maximum of one text per row: sorting the rows takes ten times as long. */
export const findLongestValues = (db: Db, workspaceId: string, fieldIds: readonly string[]) =>
  db.query<{ readonly smart_field_id: string; readonly value: string }>(sql`
    select v.smart_field_id,
      substr(max(to_char(char_length(v.value), 'FM00000') || v.value collate "C"), 6) as value
    from ${activePeople(workspaceId)} t
    join smart_field_values v on v.workspace_id = ${workspaceId} and v.teammate_id = t.id
    where v.smart_field_id = any(${fieldIds}::uuid[])
    group by v.smart_field_id`)

export async function findLongestAddress(db: Db, workspaceId: string): Promise<string | null> {
  const address = await db.value<string>(sql`
    select e.address from ${activePeople(workspaceId)} t
    join emails e on e.workspace_id = ${workspaceId} and e.teammate_id = t.id and e.deleted_at is null
    order by char_length(e.address) desc, e.id
    limit 1`)
  return address ?? null
}
