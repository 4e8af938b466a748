import { type Db, sql } from '#kernel/db/db.ts'

/** All copies ever made from the personal page of this address. */
export const copiesOf = (db: Db, workspaceId: string, emailId: string) =>
  db.query<{ readonly signature_id: string; readonly html_sha256: string | null }>(sql`
    select signature_id, html_sha256 from installations
    where workspace_id = ${workspaceId} and email_id = ${emailId} and channel = 'personal_page' and installed_at is not null`)
