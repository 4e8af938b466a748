import { type Db, sql } from '#kernel/db/db.ts'

/** Counts the recipients of a signature who get each of the others, which are in the order of their precedence. */
export const countKept = (db: Db, workspaceId: string, signatureId: string, others: readonly string[]) =>
  db.query<{ readonly signature_id: string; readonly recipients: number }>(sql`
    select kept.signature_id, count(*)::int as recipients from (
      select distinct on (r.email_id) o.signature_id from recipients r
      join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
      join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.active
      join recipients o on o.workspace_id = r.workspace_id and o.email_id = r.email_id
        and o.signature_id = any(${others}::uuid[])
      where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId}
      order by r.email_id, array_position(${others}::uuid[], o.signature_id)
    ) kept group by kept.signature_id`)
