import { day, hour } from '#kernel/base/durations.ts'
import { type Db, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { tallied, talliedEach } from '#kernel/db/tallies.ts'

/** The hour and the day of a count, in UTC. */
const timeOfCount = (now: Date) => ({
  hour: new Date(Math.floor(now.getTime() / hour) * hour),
  today: now.toISOString().slice(0, 10),
})

/**
 * Counts the seats of all workspaces for the hour of `now`, at most once per hour. Days without a count, on which the
 * service did not run, get the count of now: teammates do not change while it stands still. The last day of a workspace
 * is read by its key, not from all days. Citus refuses `date_trunc` here, so the hour is a value.
 */
export function countSeats(now: Date): Sql {
  const { hour, today } = timeOfCount(now)
  return sql`
    insert into seat_days as stored (workspace_id, day, most, total, counts, counted_at)
    select seats.workspace_id, counted.day::date, seats.n, seats.n, 1, ${hour}::timestamptz
    from (${talliedEach('seats')}) seats
    left join lateral (
      select max(s.day) as day from seat_days s where s.workspace_id = seats.workspace_id) last on true
    cross join lateral generate_series(
      least(coalesce(last.day + 1, ${today}::date), ${today}::date)::timestamp, ${today}::date::timestamp,
      interval '1 day') as counted (day)
    order by seats.workspace_id, counted.day
    on conflict (workspace_id, day) do update
      set most = greatest(stored.most, excluded.most), total = stored.total + excluded.total,
        counts = stored.counts + 1, counted_at = excluded.counted_at
      where stored.counted_at < excluded.counted_at`
}

/**
 * Before seats become free: the count of this moment is kept as the most of its day, so that the most of a month never
 * falls between two hourly counts. What takes a seat needs no such statement: a count that only grows is the highest one.
 * It is kept at the last day that was counted, because days without a count get the next one (see `countSeats`).
 */
export function keepSeatPeak(workspaceId: string, now = new Date()): Sql {
  const { hour, today } = timeOfCount(now)
  return sql`
    with seats as (select (${tallied(workspaceId, 'seats')})::int as n),
    raised as (
      update seat_days d set most = seats.n from seats
      where d.workspace_id = ${workspaceId} and d.most < seats.n and d.day >= ${`${today.slice(0, 8)}01`}::date
        and d.day = (select max(last.day) from seat_days last where last.workspace_id = ${workspaceId})
    )
    insert into seat_days (workspace_id, day, most, total, counts, counted_at)
    select ${workspaceId}::uuid, ${today}::date, n, n, 1, ${hour}::timestamptz from seats
    where not exists (select 1 from seat_days where workspace_id = ${workspaceId})
    on conflict do nothing`
}

interface PastSeats {
  /** `2026-01-31`. */
  readonly day: string
  readonly seats: number
}

/** Days before the service counted, for data that comes with its history. Days that have a count keep it. */
export const insertPastSeats = (workspaceId: string, days: readonly PastSeats[]): Sql => sql`
  insert into seat_days (workspace_id, day, most, total, counts, counted_at)
  select ${workspaceId}::uuid, n.day::date, n.seats, n.seats, 1, n.day::date
  from ${rows('n', days, {
    day: ['text', ({ day }) => day],
    seats: ['int', ({ seats }) => seats],
  })}
  on conflict do nothing`

/**
 * Gives the days after a workspace's last count, and before `until`, the count of now, as the next count of the job would.
 */
export async function countMissingDays(db: Db, workspaceId: string, until: string): Promise<void> {
  const row = await db.first<{ last: string | null; seats: number }>(sql`
    select max(day)::text as last, (${tallied(workspaceId, 'seats')})::int as seats
    from seat_days where workspace_id = ${workspaceId}`)
  if (!row?.last) return
  const days: PastSeats[] = []
  const end = Date.parse(until)
  for (let at = Date.parse(row.last) + day; at < end; at += day)
    days.push({ day: new Date(at).toISOString().slice(0, 10), seats: row.seats })
  if (days.length > 0) await db.query(insertPastSeats(workspaceId, days))
}

export const seatsOfNow = (db: Db, workspaceId: string) =>
  db.number(sql`select (${tallied(workspaceId, 'seats')})::int as seats`)

interface SeatsOfPeriod {
  /** Days with a count. */
  readonly days: number
  readonly most: number
  /** The average of the days' averages, in hundredths of a seat. */
  readonly average_hundredths: number
}

/** `until` is not included. */
export async function seatsOfPeriod(
  db: Db,
  workspaceId: string,
  from: string,
  until: string,
): Promise<SeatsOfPeriod> {
  const row = await db.first<SeatsOfPeriod>(sql`
    select count(*)::int as days, coalesce(max(most), 0) as most,
      coalesce(round(100 * avg(total::numeric / counts)), 0)::int as average_hundredths
    from seat_days where workspace_id = ${workspaceId} and day >= ${from}::date and day < ${until}::date`)
  return row as SeatsOfPeriod
}
