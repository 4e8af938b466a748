// Exact totals of lists that are too long to count, and of seats, which grow with them.

import { newRow } from '#kernel/base/ids.ts'
import { type Db, join, type Sql, sql } from './db.ts'
import type { Job } from './jobs.ts'

/** Only kinds that can reach hundreds of thousands, because every write of such a row costs an extra insert. */
export type Tally = 'emails' | 'teammates.manual' | 'teammates.directory' | 'seats'

/** An expression for the sum of some totals, as of now. */
export const tallied = (workspaceId: string, ...kinds: Tally[]): Sql => sql`
  select coalesce((select sum(n) from tallies where workspace_id = ${workspaceId} and kind in (${join(kinds)})), 0)
    + coalesce((
      select sum(change.amount * t.times) from tally_changes t, unnest(t.kinds, t.amounts) as change (kind, amount)
      where t.workspace_id = ${workspaceId} and change.kind in (${join(kinds)})), 0)`

/** Rows `(workspace_id, n)`: one total of each workspace that has ever had it, as of now. */
export const talliedEach = (kind: Tally): Sql => sql`
  select workspace_id, sum(n)::int as n
  from (
    select workspace_id, n from tallies where kind = ${kind}
    union all
    select t.workspace_id, change.amount * t.times
    from tally_changes t, unnest(t.kinds, t.amounts) as change (kind, amount) where change.kind = ${kind}
  ) counted
  group by workspace_id`

/** A statement (or part of a WITH) that changes totals by `changes` for each row of `rows`. */
export function tally(workspaceId: string, changes: Partial<Record<Tally, number>>, rows: Sql): Sql {
  const kinds = `{${Object.keys(changes)}}`
  const amounts = `{${Object.values(changes)}}`
  return sql`
    insert into tally_changes (workspace_id, id, kinds, amounts, times)
    select ${workspaceId}::uuid, ${newRow().id}::uuid, ${kinds}::text[], ${amounts}::integer[], count(*)
    from ${rows} having count(*) > 0`
}

const fold = (workspaceId: string): Sql => sql`
  with folded as (
    delete from tally_changes
    where workspace_id = ${workspaceId} and id = any (array(
      select id from tally_changes where workspace_id = ${workspaceId} limit 50000 for update skip locked))
    returning kinds, amounts, times
  )
  insert into tallies (workspace_id, kind, n)
  select ${workspaceId}::uuid, change.kind, sum(change.amount * folded.times)
  from folded, unnest(folded.kinds, folded.amounts) as change (kind, amount)
  group by change.kind
  order by change.kind
  on conflict (workspace_id, kind) do update set n = tallies.n + excluded.n`

/**
 * Adds the waiting changes to the totals, so that `tallied` has few rows to sum. Totals are the same before and after.
 */
export const foldTallies = (db: Db): Job => ({
  name: 'tallies.fold',
  schedule: '* * * * *',
  async run() {
    const changed = await db.column<string>(sql`select distinct workspace_id from tally_changes`)
    for (const workspaceId of changed) await db.query(fold(workspaceId))
  },
})
