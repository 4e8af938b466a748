import { type Db, sql } from '#kernel/db/db.ts'
import type { Connection } from '../channel.ts'

export interface QuotaGrant {
  readonly isGranted: boolean
  /** Until the next minute begins. */
  readonly millisecondsLeft: number
}

/** Takes `count` calls out of the quota of a minute, or none. By the clock of the database, which all processes share. */
export async function takeQuota(
  db: Db,
  { workspaceId, integrationId }: Pick<Connection, 'workspaceId' | 'integrationId'>,
  count: number,
  maxPerMinute: number,
): Promise<QuotaGrant> {
  const grant = await db.first<QuotaGrant>(sql`
    with taken as (
      insert into channel_quotas as q (workspace_id, integration_id, minute, used)
      values (${workspaceId}, ${integrationId}, date_trunc('minute', now()), ${count})
      on conflict (workspace_id, integration_id) do update
        set minute = greatest(q.minute, excluded.minute),
          used = case when q.minute < excluded.minute then excluded.used else q.used + excluded.used end
        where q.minute < excluded.minute or q.used + excluded.used <= ${maxPerMinute}
      returning 1)
    select exists (select from taken) as "isGranted",
      ceil(extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now()) * 1000)::int as "millisecondsLeft"`)
  return grant as QuotaGrant
}
