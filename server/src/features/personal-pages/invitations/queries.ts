import { type Db, sql } from '../../../kernel/db.ts'

export interface Published {
  readonly id: string
  readonly version_number: number
}

/** Undefined when there is no such signature; a version of 0 was never published. */
export async function versionOf(
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<Published | undefined> {
  const [row] = await db.query<Published>(sql`
    select id, version_number from signatures where workspace_id = ${workspaceId} and id = ${signatureId}`)
  return row
}

const uninvited = (workspaceId: string, { id, version_number }: Published) => sql`
  from recipients r
  join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
  where r.workspace_id = ${workspaceId} and r.signature_id = ${id} and not exists (
    select from invitations i
    where i.workspace_id = r.workspace_id and i.signature_id = r.signature_id and i.version_number = ${version_number}
      and i.email_id = r.email_id)`

export async function countUninvited(db: Db, workspaceId: string, version: Published): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n ${uninvited(workspaceId, version)}`,
  )
  return row?.n ?? 0
}

/** Notes the next few as invited; each is returned once, whoever asks. */
export async function inviteNext(
  tx: Db,
  workspaceId: string,
  version: Published,
  count: number,
): Promise<readonly { readonly email_id: string }[]> {
  return tx.query(sql`
    insert into invitations (workspace_id, signature_id, version_number, email_id, invited_at)
    select r.workspace_id, r.signature_id, ${version.version_number}, r.email_id, ${new Date()}::timestamptz
    ${uninvited(workspaceId, version)}
    order by r.email_id limit ${count}
    on conflict do nothing
    returning email_id`)
}
