import { type Db, sql } from '#kernel/db/db.ts'

/**
 * Records one mail per teammate behind these addresses and returns the teammates whose row was inserted or changed. If
 * a teammate has several addresses, the primary one is used.
 */
export async function recordCampaignMails(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  emailIds: readonly string[],
): Promise<{ readonly teammate_id: string }[]> {
  const primaries = await tx.column<string>(sql`
    select id from emails where workspace_id = ${workspaceId} and id = any(${emailIds}::uuid[]) and is_primary`)
  return tx.query(sql`
    insert into campaign_mails (workspace_id, campaign_id, teammate_id, email_id, queued_at)
    select distinct on (e.teammate_id) e.workspace_id, ${campaignId}::uuid, e.teammate_id, e.id, ${new Date()}::timestamptz
    from emails e
    where e.workspace_id = ${workspaceId} and e.id = any(${emailIds}::uuid[]) and e.deleted_at is null
    order by e.teammate_id, e.is_primary desc, e.id
    on conflict (workspace_id, campaign_id, teammate_id) do update set email_id = excluded.email_id
      where campaign_mails.begun_at is null and campaign_mails.email_id <> excluded.email_id
        and excluded.email_id = any(${primaries}::uuid[])
    returning teammate_id`)
}

export const recordedAddress = (db: Db, workspaceId: string, campaignId: string, teammateId: string) =>
  db.value<string>(sql`
    select email_id from campaign_mails
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and teammate_id = ${teammateId} and begun_at is null`)

/** Claims the mail: true for exactly one caller. */
export const claimCampaignMail = (db: Db, workspaceId: string, campaignId: string, teammateId: string) =>
  db.hasRows(sql`
    update campaign_mails set begun_at = ${new Date()}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and teammate_id = ${teammateId} and begun_at is null
    returning email_id`)

/** The mail server did not accept the mail, so it can be begun again. */
export const releaseCampaignMail = (db: Db, workspaceId: string, campaignId: string, teammateId: string) =>
  db.query(sql`
    update campaign_mails set begun_at = null
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and teammate_id = ${teammateId}`)
