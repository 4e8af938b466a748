// Changes of many teammates: who is selected, who would change, and the changes that a job works through.

import { type ListResult, listRows, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { iso } from '#kernel/db/text.ts'
import { selectedTeammates, type TeammateFilters } from '../selection/queries.ts'
import type { SentValue } from '../values.ts'

const idsOf = async (db: Db, statement: Sql): Promise<string[]> =>
  (await db.query<{ id: string }>(statement)).map(({ id }) => id)

/** Teammates in the order of their ids, at most `limit`. */
export const matchedIds = (
  db: Db,
  workspaceId: string,
  filters: TeammateFilters,
  limit: number,
): Promise<string[]> =>
  idsOf(
    db,
    sql`select t.id from teammates t ${selectedTeammates(workspaceId, filters)} order by t.id limit ${limit}`,
  )

/** Those of the ids that are teammates now. */
export const livingIds = (db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`
      select id from teammates
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null order by id`,
  )

/** The same, locked until the end of the transaction: their values do not change meanwhile. */
export const lockLiving = (tx: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> =>
  idsOf(
    tx,
    sql`
      select id from teammates
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null order by id
      for no key update`,
  )

/** Those of the ids who have another value in one of the fields; null stands for no value. */
const differing = (
  workspaceId: string,
  ids: readonly string[],
  values: ReadonlyMap<string, string | null>,
): Sql => sql`
  from unnest(${ids}::uuid[]) as t (id)
  where exists (
    select from unnest(${[...values.keys()]}::uuid[], ${[...values.values()]}::text[]) as n (field_id, value)
    left join smart_field_values v
      on v.workspace_id = ${workspaceId} and v.teammate_id = t.id and v.smart_field_id = n.field_id
    where v.value is distinct from n.value)`

export const differingIds = (db: Db, ...selection: Parameters<typeof differing>): Promise<string[]> =>
  idsOf(db, sql`select t.id ${differing(...selection)} order by t.id`)

export const countDiffering = (db: Db, ...selection: Parameters<typeof differing>) =>
  db.number(sql`select count(*)::int as n ${differing(...selection)}`)

const shape = sql`
  id, status, matched, processed, changed, unchanged, missing, message, ${iso(sql`created_at`)} as created_at,
  ${iso(sql`updated_at`)} as updated_at, ${iso(sql`finished_at`)} as finished_at`

export interface StoredTeammateChange {
  readonly id: string
}

export const findTeammateChange = (db: Db, workspaceId: string, id: string) =>
  db.first<StoredTeammateChange>(
    sql`select ${shape} from teammate_changes where workspace_id = ${workspaceId} and id = ${id}`,
  )

export const listTeammateChanges = (db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> =>
  listRows(db, page, shape, sql`from teammate_changes where workspace_id = ${workspaceId}`)

/** One transaction at a time stores a change of the workspace that waits for its job. Returns how many wait. */
export async function lockQueuedCount(tx: Db, workspaceId: string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.teammateChanges, workspaceId)})`)
  return tx.number(sql`
    select count(*)::int as n from teammate_changes where workspace_id = ${workspaceId} and status = 'pending'`)
}

export async function insertTeammateChange(
  tx: Db,
  by: Caller,
  ids: readonly string[],
  smartFields: readonly SentValue[],
): Promise<StoredTeammateChange> {
  const { id, now } = newRow()
  await tx.query(sql`
    delete from teammate_changes
    where workspace_id = ${by.workspaceId} and finished_at < ${now}::timestamptz - interval '30 days'`)
  const change = await tx.first<StoredTeammateChange>(sql`
    with changed as (insert into teammate_changes (workspace_id, id, status, smart_fields, ids, matched, member_id, api_key_id, session_id,
      request_id, via, created_at, updated_at)
    values (${by.workspaceId}, ${id}, 'pending', ${JSON.stringify(smartFields)}::jsonb, ${ids}::uuid[], ${ids.length},
      ${by.actorId}, ${by.apiKeyId}, ${by.sessionId}, ${by.requestId}, ${by.via}, ${now}, ${now})
    returning *)
    select ${shape} from changed`)
  return change as StoredTeammateChange
}

export interface ChangeBatch {
  readonly id: string
  readonly smart_fields: readonly SentValue[]
  readonly batch: readonly string[]
  readonly is_last: boolean
  readonly member_id: string | null
  readonly api_key_id: string | null
  readonly session_id: string | null
  readonly request_id: string | null
  readonly via: Caller['via']
}

/** The next people of the oldest change that waits. Locks the change. */
export const lockNextBatch = (tx: Db, workspaceId: string, size: number) =>
  tx.first<ChangeBatch>(sql`
    select id, smart_fields, ids[processed + 1:processed + ${size}::int] as batch,
      processed + ${size}::int >= matched as is_last, member_id, api_key_id, session_id, request_id, via
    from teammate_changes where workspace_id = ${workspaceId} and status = 'pending'
    order by id limit 1
    for update`)

interface ChangedCounts {
  readonly processed: number
  readonly changed: number
  readonly unchanged: number
  readonly missing: number
}

export async function saveChangedBatch(
  tx: Db,
  workspaceId: string,
  { id, is_last }: Pick<ChangeBatch, 'id' | 'is_last'>,
  counts: ChangedCounts,
): Promise<void> {
  const now = new Date()
  await tx.query(sql`
    update teammate_changes set processed = processed + ${counts.processed}, changed = changed + ${counts.changed},
      unchanged = unchanged + ${counts.unchanged}, missing = missing + ${counts.missing}, updated_at = ${now},
      status = case when ${is_last} then 'done' else status end,
      ids = case when ${is_last} then '{}' else ids end,
      finished_at = case when ${is_last} then ${now}::timestamptz end
    where workspace_id = ${workspaceId} and id = ${id}`)
}

export async function failChange(tx: Db, workspaceId: string, id: string, message: string): Promise<void> {
  const now = new Date()
  await tx.query(sql`
    update teammate_changes set status = 'failed', message = ${message}, ids = '{}', updated_at = ${now}, finished_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id}`)
}
