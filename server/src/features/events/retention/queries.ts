// Retention takes events; what was kept of those behind them goes too. In steps by key, each as long as `most` rows.
import { type Db, type Sql, sql } from '#kernel/db.ts'

/** A step through a table of a workspace: where it ends, or null at the end. */
type Step = (tx: Db, workspaceId: string, before: Date, after: string, most: number) => Promise<string | null>

const isUnseen = (workspaceId: string, ids: Sql): Sql => sql`
  not exists (select from events where workspace_id = ${workspaceId} and distinct_id in (${ids}))
  and not exists (select from event_tail where workspace_id = ${workspaceId} and distinct_id in (${ids}))`

async function ended(tx: Db, statement: Sql): Promise<string | null> {
  const [row] = await tx.query<{ last: string | null }>(statement)
  return row?.last ?? null
}

const eventIds: Step = (tx, workspaceId, before, after, most) =>
  ended(
    tx,
    sql`
      with step as materialized (
        select event_id as key, recorded_at < ${before} as old from event_ids
        where workspace_id = ${workspaceId} and event_id > ${after} order by event_id limit ${most}
      ),
      gone as (
        delete from event_ids where workspace_id = ${workspaceId} and recorded_at < ${before}
          and event_id in (select key from step where old)
      )
      select max(key) as last from step`,
  )

const traits: Step = (tx, workspaceId, before, after, most) =>
  ended(
    tx,
    sql`
      with step as materialized (
        select distinct_id as key, updated_at < ${before} and ${isUnseen(workspaceId, sql`t.distinct_id`)} as old
        from visitor_traits t
        where workspace_id = ${workspaceId} and distinct_id > ${after} order by distinct_id limit ${most}
      ),
      gone as (
        delete from visitor_traits where workspace_id = ${workspaceId} and updated_at < ${before}
          and distinct_id in (select key from step where old)
      )
      select max(key) as last from step`,
  )

/** Of one who was anonymous and is known, events may be under either id. */
const identities: Step = (tx, workspaceId, before, after, most) =>
  ended(
    tx,
    sql`
      with step as materialized (
        select anonymous_id as key,
          identified_at < ${before} and ${isUnseen(workspaceId, sql`i.anonymous_id, i.user_id`)} as old
        from visitor_identities i
        where workspace_id = ${workspaceId} and anonymous_id > ${after} order by anonymous_id limit ${most}
      ),
      gone as (
        delete from visitor_identities where workspace_id = ${workspaceId} and identified_at < ${before}
          and anonymous_id in (select key from step where old)
      )
      select max(key) as last from step`,
  )

/** Whoever has no event left and was not told of since, and the ids under which events were sent before. */
export async function forgetVisitors(db: Db, workspaceId: string, before: Date, most = 5_000): Promise<void> {
  for (const step of [eventIds, traits, identities])
    for (let at: string | null = ''; at !== null; ) {
      const after: string = at
      at = await db.transaction(tx => step(tx, workspaceId, before, after, most))
    }
}
