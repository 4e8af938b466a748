import { type Db, join, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import { troubleMessages } from './messages.ts'

export interface SavedTrouble {
  readonly workspaceId: string
  readonly integrationId: string
  readonly emailId: string
  readonly code: string
  readonly host: string
  readonly platform: string
}

/** The sentence of the code in a column. */
const messageOf = (code: Sql): Sql => {
  const cases = Object.entries(troubleMessages).map(([name, message]) => sql`when ${name} then ${message}`)
  return sql`case ${code} ${join(cases, ' ')} else ${troubleMessages.unexpected} end`
}

/** Joins the trouble `q` of the installation `i`, if there is one. */
export const troubleJoin: Sql = sql`
  left join installation_troubles q
    on q.workspace_id = i.workspace_id and q.integration_id = i.integration_id and q.email_id = i.email_id`

export const troubleShape: Sql = sql`
  case when q.code is not null then json_build_object('code', q.code, 'message', ${messageOf(sql`q.code`)},
    'host', q.host, 'platform', q.platform, 'count', q.count, 'at', ${iso(sql`q.at`)}) end as trouble`

/** Column for a row of `installations` in a query that reads this table alone. */
export const hasTrouble: Sql = sql`exists (
  select from installation_troubles q
  where q.workspace_id = installations.workspace_id and q.integration_id = installations.integration_id
    and q.email_id = installations.email_id)`

/** Leaves out integrations that were disconnected meanwhile. */
export const saveTrouble = (
  db: Db,
  { workspaceId, integrationId, emailId, code, host, platform }: SavedTrouble,
): Promise<unknown> =>
  db.query(sql`
    insert into installation_troubles as q (workspace_id, integration_id, email_id, code, host, platform, count, at)
    select x.workspace_id, x.id, ${emailId}::uuid, ${code}, ${host}, ${platform}, 1, ${new Date()}::timestamptz
    from integrations x where x.workspace_id = ${workspaceId} and x.id = ${integrationId} and x.deleted_at is null
    on conflict (workspace_id, integration_id, email_id) do update
      set code = excluded.code, host = excluded.host, platform = excluded.platform, at = excluded.at,
        count = case when q.code = excluded.code then q.count + 1 else 1 end`)

/** They say nothing about today's mails any more. */
export const deleteOldTroubles = (now: Date): Sql =>
  sql`delete from installation_troubles where at < ${now}::timestamptz - interval '30 days'`
