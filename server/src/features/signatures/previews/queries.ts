import { type Db, sql } from '../../../kernel/db.ts'

/** Whether this address gets this signature; undefined when there is no such address. */
export async function isRecipient(
  db: Db,
  workspaceId: string,
  signatureId: string,
  emailId: string,
): Promise<boolean | undefined> {
  const [email] = await db.query<{ reached: boolean }>(sql`
    select exists (
      select from recipients r
      where r.workspace_id = e.workspace_id and r.signature_id = ${signatureId} and r.email_id = e.id) as reached
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = ${emailId} and e.deleted_at is null`)
  return email?.reached
}
