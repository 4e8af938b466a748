import { type Db, sql } from '../../kernel/db.ts'

interface FilledIn {
  readonly address: string
  /** By smart field. */
  readonly values: Readonly<Record<string, string>>
}

/** What the signature of one address is filled in with. */
export async function findValues(
  db: Db,
  workspaceId: string,
  emailId: string,
): Promise<FilledIn | undefined> {
  const [found] = await db.query<FilledIn>(sql`
    select e.address, coalesce((
      select jsonb_object_agg(v.smart_field_id, v.value) from smart_field_values v
      where v.workspace_id = e.workspace_id and v.teammate_id = e.teammate_id), '{}') as values
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and e.deleted_at is null`)
  return found
}
