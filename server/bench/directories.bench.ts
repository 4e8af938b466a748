// Reads directories of 10,000 and 100,000 people. The source makes its pages up, so that only the engine is measured.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from '#kernel/db/db.ts'
import { type Bench, createFixture, type Figure, type Fixture } from './support/bench.ts'
import { connectMadeUp } from './support/made-up-directory.ts'

/** Rows that were inserted, changed or deleted since the last call, except those of runs and the queue. */
async function writtenRows({ db }: Fixture): Promise<number> {
  await db.query(sql`select pg_stat_force_next_flush()`)
  return db.number(sql`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int from pg_stat_user_tables
    where relname in ('directory_people', 'directory_edges', 'teammates', 'emails', 'smart_field_values', 'recipients',
      'integration_entities', 'integration_entity_members')`)
}

/** Reconcile jobs that wait: each compares the mailboxes of changed people. */
const queuedReconciles = ({ db }: Fixture): Promise<number> =>
  db.number(sql`
    select count(*)::int from graphile_worker.jobs where task_identifier = 'installations.reconcile'`)

/** From the start of the last run until the next one begins at the latest, in seconds. */
async function secondsBetweenRuns({ db }: Fixture): Promise<number> {
  const seconds = await db.value<number>(sql`
    select extract(epoch from i.next_sync_at - max(r.started_at))::float
    from integrations i join sync_runs r on r.integration_id = i.id group by i.next_sync_at`)
  return seconds ?? Number.NaN
}

async function run(): Promise<Figure[]> {
  const fixture = await createFixture()
  let changedPerson = -1
  try {
    const titleOf = (n: number) => (n === changedPerson ? 'Promoted' : undefined)
    const sync = await connectMadeUp(fixture, { people: 10_000, groups: 300, titleOf })
    const first = await sync()
    const before = await writtenRows(fixture)
    const second = await sync()
    const written = (await writtenRows(fixture)) - before
    const queued = await queuedReconciles(fixture)
    const between = await secondsBetweenRuns(fixture)
    changedPerson = 7_777
    const changed = await sync()
    const isQueued = (await queuedReconciles(fixture)) > queued
    return [
      { what: 'first run of 10,000 people and 300 groups, in seconds', value: first, limit: { most: 60 } },
      {
        what: 'second run without a change, against the first',
        value: second / first,
        limit: { most: 0.1 },
        note: `${second.toFixed(2)} s`,
      },
      { what: 'rows that the second run wrote', value: written, limit: { most: 0 } },
      {
        what: 'one change among 10,000 people, from the source to the queue of the mailboxes, in seconds at most',
        value: isQueued ? between + changed : Number.NaN,
        limit: { most: 300 },
        note: `${between.toFixed(1)} s until the next run begins, ${changed.toFixed(2)} s until its end`,
      },
    ]
  } finally {
    await fixture.end()
  }
}

async function runLarge(): Promise<Figure[]> {
  const script = join(import.meta.dirname, 'support/directory-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, '100000'])
  const { first, second, most } = JSON.parse(stdout)
  return [
    {
      what: 'memory of a process that reads 100,000 people, in MB at most',
      value: most,
      limit: { most: 300 },
      note: `first run ${first.toFixed(0)} s, second run ${second.toFixed(1)} s`,
    },
  ]
}

export const benches: readonly Bench[] = [
  { name: 'directories', run },
  { name: 'directories, large', run: runLarge },
]
