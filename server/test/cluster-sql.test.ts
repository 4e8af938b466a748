// The list of SQL that a cluster refuses: PostgreSQL accepts each of these statements, Citus none.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { afterFile } from './support/after-file.ts'
import { freshDatabase } from './support/app.ts'
import { clusterProblems, loadParser } from './support/postgres/cluster-sql.ts'

let pool: pg.Pool
beforeAll(async () => {
  await loadParser()
  pool = new pg.Pool(await freshDatabase())
  afterFile(() => pool.end())
})

const id = randomUUID()
const change = 'update folders set updated_at ='

const refused: readonly [problem: string, statement: string, ...values: unknown[]][] = [
  ['inside CASE', `${change} case when $2 then now() else updated_at end where workspace_id = $1`, id, true],
  ['inside CASE', `${change} coalesce($2, current_timestamp) where workspace_id = $1`, id, null],
  ['clock_timestamp()', 'delete from folders where workspace_id = $1 and updated_at < clock_timestamp()', id],
  ['of a column', `update folders set name = to_char(updated_at, 'YYYY') where workspace_id = $1`, id],
  ['an interval', `${change} updated_at - interval '1 hour' where workspace_id = $1`, id],
  ['CASE x WHEN', `update folders set name = case name when 'a' then 'b' end where workspace_id = $1`, id],
  [
    'in RETURNING',
    `${change} $2 where workspace_id = $1 returning to_char(updated_at, 'YYYY')`,
    id,
    new Date(),
  ],
  [
    'inside VALUES',
    `insert into tallies (workspace_id, kind, n)
     values ($1, 'seats', (select count(*) from emails where workspace_id = $1))`,
    id,
  ],
  [
    'behind ON CONFLICT: pass',
    `insert into tallies (workspace_id, kind, n) values ($1, 'emails', 1)
     on conflict (workspace_id, kind) do update set n = extract(year from now())`,
    id,
  ],
  [
    'a parameter behind ON CONFLICT',
    `insert into tallies (workspace_id, kind, n) select $1::uuid, k.kind, 1 from unnest($2::text[]) as k (kind)
     on conflict (workspace_id, kind) do update set n = $3`,
    id,
    ['emails'],
    1,
  ],
  [
    'named 1 times for 2',
    'select from folders f join signatures s on s.id = f.id where f.workspace_id = $1',
    id,
  ],
]

describe('the check of statements for a cluster', () => {
  it.each(refused)('knows that Citus refuses: %s, %s', async (problem, statement, ...values) => {
    expect(clusterProblems(statement).join('\n')).toContain(problem)
    const result = await pool.query(statement, values).then(
      () => 'accepted',
      () => 'refused',
    )
    expect(result).toBe(inject('clusterNodes').length > 0 ? 'refused' : 'accepted')
  })

  it.each([
    'select pg_advisory_xact_lock(1) from folders where workspace_id = $1',
    `with gone as (delete from folders where workspace_id = $1) select pg_notify('channel', '')`,
    `select graphile_worker.add_job('job') from workspaces where id = $1`,
  ])('refuses a function of the coordinator beside a table: %s', statement => {
    expect(clusterProblems(statement).join('\n')).toContain('in a statement of its own')
  })

  it.each([
    'select pg_advisory_xact_lock(hashtextextended($1, 7364007))',
    'select * from folders f join signatures s using (workspace_id) where f.workspace_id = $1',
    'update folders f set name = $1, updated_at = now() where f.workspace_id = $2',
    `insert into folders (workspace_id, id) select $1::uuid, k.id from unnest($2::uuid[]) as k (id) on conflict do nothing`,
    `update event_tail set recorded_at = recorded_at - interval '1 day' where workspace_id = $1`,
    'delete from imports where created_at <= now()',
  ])('accepts %s', statement => {
    expect(clusterProblems(statement)).toEqual([])
  })
})
