import { type Db, sql } from '#kernel/db.ts'
import { newRow } from '#kernel/ids.ts'

export interface CopiedRow {
  readonly signature_id: string
  readonly html_sha256: string | null
}

/** All copies ever made from the personal page of this address. */
export const copiesOf = (db: Db, workspaceId: string, emailId: string): Promise<CopiedRow[]> =>
  db.query(sql`
    select signature_id, html_sha256 from installations
    where workspace_id = ${workspaceId} and email_id = ${emailId} and channel = 'personal_page' and installed_at is not null`)

/** Idempotent. A signature that is being deleted is left out. Returns the id of the installation if it changed. */
export async function saveCopy(
  db: Db,
  workspaceId: string,
  { signatureId, emailId, sha256 }: { signatureId: string; emailId: string; sha256: string },
): Promise<string | undefined> {
  const { id, now } = newRow()
  const [saved] = await db.query<{ id: string }>(sql`
    insert into installations as i (workspace_id, id, signature_id, email_id, channel, status, html_sha256, installed_at,
      created_at, updated_at)
    (select workspace_id, ${id}::uuid, id, ${emailId}::uuid, 'personal_page', 'installed', ${sha256}, ${now}::timestamptz,
        ${now}::timestamptz, ${now}::timestamptz
      from signatures where workspace_id = ${workspaceId} and id = ${signatureId}
      for key share)
    on conflict (workspace_id, email_id, channel, integration_id, signature_id) do update
      set status = 'installed', html_sha256 = excluded.html_sha256, installed_at = excluded.installed_at,
        error_code = null, error_message = null, updated_at = excluded.updated_at
      where i.status <> 'installed' or i.html_sha256 is distinct from excluded.html_sha256
    returning id`)
  return saved?.id
}
