import { audited } from '#features/workspace/audit-log/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import { tallied } from '#kernel/db/tallies.ts'

/** Column of a query of `workspaces`. The most of a month is the highest kept count, or that of this moment. */
export const seatsOf = (workspaceId: string): Sql => sql`
  (
    select json_build_object('now', seats.n,
      'max_this_month', greatest(seats.n, (
        select max(d.most) from seat_days d
        where d.workspace_id = ${workspaceId} and d.day >= date_trunc('month', now() at time zone 'UTC')::date)),
      'limit', seat_limit)
    from (select (${tallied(workspaceId, 'seats')})::int as n) seats
  )`

export interface SeatCount {
  readonly limit: number
  readonly used: number
}

/**
 * Undefined without a limit. With one, other transactions that make teammates active wait for the end of this one, and
 * the count is read after the lock was given.
 */
export async function lockSeatCount(tx: Db, workspaceId: string): Promise<SeatCount | undefined> {
  const workspace = await tx.first<{ seat_limit: number | null }>(sql`
    select seat_limit from workspaces where id = ${workspaceId}`)
  const limit = workspace?.seat_limit ?? null
  if (limit === null) return undefined
  await tx.query(sql`select pg_advisory_xact_lock(${namedLock(locks.seats, workspaceId)})`)
  const used = await tx.number(sql`select (${tallied(workspaceId, 'seats')})::int as used`)
  return { limit, used }
}

/** Without a lock: for previews. */
export async function readSeatCount(db: Db, workspaceId: string): Promise<SeatCount | undefined> {
  const row = await db.first<{ limit: number | null; used: number }>(sql`
    select seat_limit as limit, (${tallied(workspaceId, 'seats')})::int as used
    from workspaces where id = ${workspaceId}`)
  return row && row.limit !== null ? { limit: row.limit, used: row.used } : undefined
}

export async function updateSeatLimit(tx: Db, by: Caller, limit: number | null): Promise<void> {
  const update = sql`
    update workspaces set seat_limit = ${limit}, updated_at = ${new Date()}
    where id = ${by.workspaceId} and seat_limit is distinct from ${limit}::int
    returning id`
  await tx.query(audited(by, 'workspace.seat_limit_changed', update))
}
