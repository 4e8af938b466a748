// Retention deletes old events; here it also deletes the event_ids and the visitors that belonged to them. It walks
// each table by key, in steps of `most` rows.
import { type Db, join, type Sql, sql } from '#kernel/db/db.ts'

/** One step through a table of a workspace. Answers the last key of the step, or null at the end of the table. */
type Step = (tx: Db, workspaceId: string, before: Date, after: string, most: number) => Promise<string | null>

/** The tail is short, and in a cluster on another node than the rest: its visitors are read once per step. */
const hasNoEvent = (workspaceId: string, ids: readonly Sql[]): Sql => sql`
  not exists (select from events where workspace_id = ${workspaceId} and distinct_id in (${join(ids)}))
  and ${join(
    ids.map(
      id => sql`${id} not in (
        select distinct_id from event_tail where workspace_id = ${workspaceId} and distinct_id is not null)`,
    ),
    ' and ',
  )}`

const lastKey = async (tx: Db, statement: Sql): Promise<string | null> =>
  (await tx.value<string | null>(statement)) ?? null

const eventIds: Step = (tx, workspaceId, before, after, most) =>
  lastKey(
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
  lastKey(
    tx,
    sql`
      with step as materialized (
        select distinct_id as key, updated_at < ${before} and ${hasNoEvent(workspaceId, [sql`t.distinct_id`])} as old
        from visitor_traits t
        where workspace_id = ${workspaceId} and distinct_id > ${after} order by distinct_id limit ${most}
      ),
      gone as (
        delete from visitor_traits where workspace_id = ${workspaceId} and updated_at < ${before}
          and distinct_id in (select key from step where old)
      )
      select max(key) as last from step`,
  )

/** The events of an identified visitor can be under the anonymous id or the user id. */
const identities: Step = (tx, workspaceId, before, after, most) =>
  lastKey(
    tx,
    sql`
      with step as materialized (
        select anonymous_id as key,
          identified_at < ${before} and ${hasNoEvent(workspaceId, [sql`i.anonymous_id`, sql`i.user_id`])} as old
        from visitor_identities i
        where workspace_id = ${workspaceId} and anonymous_id > ${after} order by anonymous_id limit ${most}
      ),
      gone as (
        delete from visitor_identities where workspace_id = ${workspaceId} and identified_at < ${before}
          and anonymous_id in (select key from step where old)
      )
      select max(key) as last from step`,
  )

/** Deletes old event_ids, and visitors who have no event left and were not updated since `before`. */
export async function deleteOldVisitors(
  db: Db,
  workspaceId: string,
  before: Date,
  most = 5_000,
): Promise<void> {
  for (const step of [eventIds, traits, identities])
    for (let at: string | null = ''; at !== null; ) {
      const after: string = at
      at = await db.transaction(tx => step(tx, workspaceId, before, after, most))
    }
}
