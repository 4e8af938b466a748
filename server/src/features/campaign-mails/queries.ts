import { type Db, sql } from '../../kernel/db.ts'

interface Addressee {
  readonly teammate_id: string
}

/** Notes the people behind these addresses; each is returned once, whoever asks. Their primary address comes first. */
export const noteMails = (
  tx: Db,
  workspaceId: string,
  campaignId: string,
  emailIds: readonly string[],
): Promise<Addressee[]> =>
  tx.query(sql`
    insert into campaign_mails (workspace_id, campaign_id, teammate_id, email_id, queued_at)
    select distinct on (e.teammate_id) e.workspace_id, ${campaignId}::uuid, e.teammate_id, e.id, ${new Date()}::timestamptz
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = any(${emailIds}::uuid[]) and e.deleted_at is null
    order by e.teammate_id, e.is_primary desc, e.id
    on conflict do nothing
    returning teammate_id`)

/** True for the first who asks. */
export async function beginMail(
  db: Db,
  workspaceId: string,
  campaignId: string,
  teammateId: string,
): Promise<{ readonly email_id: string } | undefined> {
  const [begun] = await db.query<{ email_id: string }>(sql`
    update campaign_mails set begun_at = ${new Date()}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and teammate_id = ${teammateId} and begun_at is null
    returning email_id`)
  return begun
}

/** The mail server did not take it: it may be begun again. */
export const giveBackMail = (db: Db, workspaceId: string, campaignId: string, teammateId: string) =>
  db.query(sql`
    update campaign_mails set begun_at = null
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and teammate_id = ${teammateId}`)
