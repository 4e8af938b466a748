// `signoff distribute` and migrations on a real cluster: only `npm run test:citus` runs most of these.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { fillDemo } from '#demo/index.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { applyMigration, migrate } from '#kernel/db/migrate.ts'
import { afterFile } from '#test/support/after-file.ts'
import { freshDatabase, type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { dropDatabase } from '#test/support/postgres/databases.ts'
import { urlOf, withDatabase } from '#test/support/postgres/postgres.ts'
import { clusterDatabase, runOnNodes, runsOnCluster } from '#test/support/postgres/test-cluster.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { checkCluster, placeNewTables, prepareMigration } from './distribute.ts'
import { distributedTables, referenceTables } from './tables.ts'

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  return work(client).finally(() => client.end())
}

const read = <Row extends object>(connection: pg.ClientConfig, text: string): Promise<Row[]> =>
  withClient(connection, async client => (await client.query(text)).rows)

const allTables: readonly string[] = [...referenceTables, ...distributedTables]

/** Without those of shards: the coordinator has a copy of each reference table. */
const foreignKeys = (connection: pg.ClientConfig) =>
  read(
    connection,
    `select conrelid::regclass::text as from, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and conrelid::regclass::text !~ '_[0-9]{6,}$'
     order by 1, 2`,
  )

const placesOf = (connection: pg.ClientConfig) =>
  read<{ name: string; kind: string }>(
    connection,
    `select table_name::text as name, citus_table_type as kind from citus_tables
     where citus_table_type in ('reference', 'distributed') order by 1`,
  )

/** A database that every node has, with its nodes joined; empty. */
async function newDatabase(): Promise<pg.ClientConfig> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnNodes(clusterDatabase(inject('clusterNodes'), name))
  afterFile(() => dropDatabase(name))
  return withDatabase(inject('postgres'), name)
}

const distribute = async (connection: pg.ClientConfig) =>
  command(['distribute', '--shards', '4'], {
    DATABASE_URL: urlOf(connection),
    SIGNOFF_DATA_DIR: await emptyFolder(),
  })

/** Everything that the API answers without a parameter. */
async function answersOf(app: TestApp): Promise<Record<string, string>> {
  const paths = app.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/') && !path.includes(':'))
    .map(({ path }) => path)
  const answers: Record<string, string> = {}
  for (const path of paths) answers[path] = (await app.get(path)).text
  return answers
}

const rowsOf = (connection: pg.ClientConfig): Promise<Record<string, readonly string[]>> =>
  withClient(connection, async client => {
    const stored: Record<string, readonly string[]> = {}
    for (const table of allTables)
      stored[table] = (await client.query(`select * from ${table}`)).rows
        .map(row => JSON.stringify({ ...row, last_used_at: null })) // of the key that reads the answers
        .sort()
    return stored
  })

describe.runIf(runsOnCluster)('signoff distribute on a cluster', () => {
  let connection: pg.ClientConfig
  beforeAll(async () => {
    connection = await newDatabase()
    const pool = openPool({ connection, size: 3, onError: () => undefined })
    await migrate(pool.pg, createLog('silent'))
    await pool.end()
  })

  it('keeps every row, every foreign key and every answer', async () => {
    const app = await testApp({ connection, isDistributed: false })
    await fillDemo(app.db, app.by, app.parts)
    await runAllJobs(app)
    const answers = await answersOf(app)
    const rows = await rowsOf(connection)
    const keys = await foreignKeys(connection)
    expect(Object.values(rows).flat().length).toBeGreaterThan(10_000)
    const { code, out, err } = await distribute(connection)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Placed ${allTables.length} tables`)
    expect(out).toMatch(/Removed the rows of \d+ tables from the coordinator/)
    for (const [table, stored] of Object.entries(await rowsOf(connection)))
      expect(stored, table).toEqual(rows[table])
    expect(await foreignKeys(connection)).toEqual(keys)
    const { id, key, by, other, config } = app
    const env = { SIGNOFF_DATA_DIR: config.dataDir }
    const after = await testApp({ connection, env, workspaces: { own: { id, key, by }, other } })
    expect(await answersOf(after)).toEqual(answers)
  })

  it('places each table as declared, all shards of a workspace on one node', async () => {
    expect(await placesOf(connection)).toEqual(
      [
        ...referenceTables.map(name => ({ name, kind: 'reference' })),
        ...distributedTables.map(name => ({ name, kind: 'distributed' })),
        ...(await monthsOf()).map(name => ({ name, kind: 'distributed' })),
      ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
    const groups = `select distinct colocationid from pg_dist_partition where partmethod = 'h'`
    expect(await read(connection, groups)).toHaveLength(1)
  })

  const monthsOf = async () =>
    (
      await read<{ name: string }>(
        connection,
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`,
      )
    ).map(({ name }) => name)

  it('leaves no row of these tables on the coordinator', async () => {
    const filled = await read(
      connection,
      `select c.relname from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
       where c.relkind = 'r' and (p.partmethod = 'h' or p.repmodel = 't') and pg_relation_size(c.oid) > 0`,
    )
    expect(filled).toEqual([])
  })

  it('places nothing the second time, and what is new the third time', async () => {
    expect((await distribute(connection)).out).toContain(`All ${allTables.length} tables have their place`)
    await read(connection, `select undistribute_table('tally_changes')`)
    expect((await distribute(connection)).out).toContain('Placed 1 tables in the cluster')
  })

  it('undoes everything when Citus refuses one table', async () => {
    for (const table of ['tally_changes', 'tallies'])
      await read(connection, `select undistribute_table('${table}')`)
    await read(connection, 'create unique index tallies_n on tallies (n)')
    const before = [await foreignKeys(connection), await placesOf(connection)]
    const { code, err } = await distribute(connection)
    expect(code).toBe(1)
    expect(err).toContain('cannot create constraint on "tallies"')
    expect([await foreignKeys(connection), await placesOf(connection)]).toEqual(before)
  })

  it('needs a coordinator that knows its own address, and a node for the rows', async () => {
    const [first, worker] = inject('clusterNodes')
    const name = `test_${randomUUID().replaceAll('-', '')}`
    if (!first || !worker) throw new Error('a cluster has a coordinator and a worker')
    await runOnNodes([
      { node: first, text: `create database ${name}` },
      { node: first, database: name, text: 'create extension citus' },
    ])
    afterFile(() => dropDatabase(name))
    const alone = withDatabase(inject('postgres'), name)
    const refusal = (config: pg.ClientConfig) =>
      withClient(config, client =>
        checkCluster(client).then(
          () => '',
          (error: Error) => error.message,
        ),
      )
    expect(await refusal(alone)).toContain('citus_set_coordinator_host')
    await read(alone, `select citus_set_coordinator_host('${first.host}', ${first.port})`)
    expect(await refusal(alone)).toContain('citus_add_node')
    const { database = '' } = new pg.Client(connection)
    expect(await refusal({ ...worker.connection, database })).toContain('is a worker of a cluster')
  })
})

/** With an index, a constraint, two changes in one statement, a function, rows, and a table that is made again. */
const upgrade = `
create index folders_by_name on folders (workspace_id, name);
alter table folders add column size integer not null default 0, add column shape text default 'a;b';
alter table folders add constraint folders_size check (size >= 0);
alter table members add column shape text;
update folders set shape = 'square' where size = 0;
create function doubled(n integer) returns integer language sql immutable as $$ select n * 2; $$;
drop table feedback;
create table feedback (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  folder_id uuid, -- of the workspace; can be null
  primary key (workspace_id, id)
);
-- place tables
alter table feedback add constraint feedback_folder
  foreign key (workspace_id, folder_id) references folders (workspace_id, id);
insert into feedback (workspace_id, id) select workspace_id, id from folders;
`

describe('an upgrade', () => {
  it('changes tables of all kinds, distributed or not, and places its new tables', async () => {
    const app = await testApp()
    await app.post('/v1/folders', { name: 'Kept' })
    await withClient(app.connection, client =>
      applyMigration(
        client,
        { version: 9_999, name: '9999_made_up.sql', text: upgrade },
        { prepare: prepareMigration, placeTables: placeNewTables },
      ),
    )
    expect(await read(app.connection, 'select name, size, shape from folders')).toEqual([
      { name: 'Kept', size: 0, shape: 'square' },
    ])
    expect(await read(app.connection, 'select from feedback')).toHaveLength(1)
    if (runsOnCluster)
      expect(await placesOf(app.connection)).toContainEqual({ name: 'feedback', kind: 'distributed' })
  })

  it('changes nothing when one of its statements fails', async () => {
    const connection = await freshDatabase()
    const failing = 'alter table folders add column size integer; alter table folders add column size integer'
    const migration = { version: 9_999, name: '9999_made_up.sql', text: failing }
    const hooks = { prepare: prepareMigration, placeTables: placeNewTables }
    await expect(withClient(connection, client => applyMigration(client, migration, hooks))).rejects.toThrow(
      'already exists',
    )
    const columns = `select from information_schema.columns where table_name = 'folders' and column_name = 'size'`
    expect(await read(connection, columns)).toEqual([])
  })
})
