// `signoff distribute`, beside a stand-in for Citus. No cluster runs in these tests: see "A cluster" in operating.md.
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { addCitusStandIn } from '#test/support/citus.ts'
import { command } from '#test/support/command.ts'
import { query, urlOf } from '#test/support/postgres.ts'
import { emptyFolder } from '#test/support/process.ts'
import { placeNewTables, prepareMigration } from './distribute.ts'
import { distributedTables, localTables, referenceTables } from './tables.ts'

let connection: pg.ClientConfig
beforeAll(async () => {
  connection = await freshDatabase()
})

async function read<Row extends object>(text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

const distribute = async (...options: string[]) =>
  command(['distribute', ...options], {
    DATABASE_URL: urlOf(connection),
    SIGNOFF_DATA_DIR: await emptyFolder(),
  })

const foreignKeys = () =>
  read(`
    select conrelid::regclass::text as from, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' order by 1, 2`)

/** Without the months of events. */
const placedAs = async (method: 'n' | 'h') =>
  (
    await read<{ name: string }>(`
      select p.logicalrelid::regclass::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = '${method}' and not c.relispartition order by 1`)
  ).map(({ name }) => name)

/** The tables that a function of Citus was called for, in order. */
const calls = async (name: string) =>
  (
    await read<{ table: string }>(`
      select called_for::text as table from citus_calls where name = '${name}' order by number`)
  ).map(({ table }) => table)

describe('signoff distribute', () => {
  it('says that a PostgreSQL without Citus has nothing to distribute, and changes nothing', async () => {
    const before = await foreignKeys()
    const { code, err } = await distribute()
    expect(code).toBe(1)
    expect(err).toContain('This PostgreSQL has no Citus extension')
    expect(await foreignKeys()).toEqual(before)
  })

  it('refuses a number of shards that no cluster has', async () => {
    expect((await distribute('--shards', '0')).err).toContain('--shards: must be from 1 to 1024, not 0.')
    expect((await distribute('--shards', 'many')).err).toContain('must be a whole number')
  })

  it('needs a coordinator that knows its own address, and a node for the rows', async () => {
    await addCitusStandIn(connection)
    const refusal = async () => {
      const { code, err } = await distribute()
      expect(code).toBe(1)
      expect(err.trim().split('\n')).toHaveLength(1)
      return err
    }
    expect(await refusal()).toContain('citus_set_coordinator_host')
    await query(connection, 'insert into pg_dist_node (groupid, shouldhaveshards) values (0, false)')
    expect(await refusal()).toContain('citus_add_node')
    await query(connection, 'update pg_dist_local_group set groupid = 1')
    expect(await refusal()).toContain('This PostgreSQL is a worker of a cluster')
    await query(connection, 'update pg_dist_local_group set groupid = 0')
  })

  it('says which setting is too small when a node runs out of locks', async () => {
    const before = await foreignKeys()
    await query(
      connection,
      `insert into pg_dist_node (groupid, shouldhaveshards) values (1, true), (2, true);
       alter function create_reference_table(regclass) rename to kept;
       create function create_reference_table(placed regclass) returns void language plpgsql as
         $$ begin raise exception 'out of shared memory' using errcode = '53200'; end $$`,
    )
    const { code, err } = await distribute()
    expect(code).toBe(1)
    expect(err).toContain('max_locks_per_transaction = 1024')
    expect(await foreignKeys()).toEqual(before)
    await query(
      connection,
      `drop function create_reference_table(regclass);
       alter function kept(regclass) rename to create_reference_table`,
    )
  })

  it('places every table, with all of its foreign keys', async () => {
    const before = await foreignKeys()
    expect(before.length).toBeGreaterThan(50)
    const { code, out, err } = await distribute('--shards', '8')
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain(`Placed ${referenceTables.length + distributedTables.length} tables`)
    expect(await placedAs('n')).toEqual([...referenceTables].sort())
    expect(await placedAs('h')).toEqual([...distributedTables].sort())
    expect(await calls('create_reference_table')).toEqual(referenceTables)
    expect(await calls('create_distributed_table')).toEqual(distributedTables)
    expect(await foreignKeys()).toEqual(before)
    // All shards with the same number are on one node.
    expect(
      await read(`select distinct colocationid as id from pg_dist_partition where partmethod = 'h'`),
    ).toEqual([{ id: '8' }])
  })

  it('removes the rows that Citus leaves on the coordinator, once all tables are placed', async () => {
    // The migrations fill no other tables of these.
    const emptied = 'truncate_local_data_after_distributing_table'
    expect(await calls(emptied)).toEqual([])
    await query(
      connection,
      `insert into workspaces (id, name, tracking_id, created_at, updated_at)
         values (gen_random_uuid(), 'Filled', gen_random_uuid(), now(), now());
       create table events_2021_01 partition of events for values from ('2021-01-01') to ('2021-02-01');
       insert into events (workspace_id, recorded_at, id, name, outcome)
         select id, '2021-01-05', gen_random_uuid(), 'told', 'counted' from workspaces`,
    )
    const { code, out } = await distribute()
    expect(code).toBe(0)
    expect(out).toContain('Removed the rows of 2 tables from the coordinator')
    expect(await calls(emptied)).toEqual(['events', 'workspaces'])
  })

  it('places nothing the second time, and what is new the third time', async () => {
    const all = referenceTables.length + distributedTables.length
    expect((await distribute()).out).toContain(`All ${all} tables have their place`)
    await query(
      connection,
      `delete from pg_dist_partition where logicalrelid in ('webhooks'::regclass, 'members'::regclass)`,
    )
    const { code, out } = await distribute()
    expect(code).toBe(0)
    expect(out).toContain(`Placed 2 tables in the cluster; ${all - 2} had their place before.`)
  })

  it('undoes everything when Citus refuses one table', async () => {
    const before = await foreignKeys()
    await query(
      connection,
      `delete from pg_dist_partition where logicalrelid in ('folders'::regclass, 'webhooks'::regclass);
       create unique index webhooks_url on webhooks (url)`,
    )
    const { code, err } = await distribute()
    expect(code).toBe(1)
    expect(err).toContain('a unique index of "webhooks" lacks workspace_id')
    expect(await foreignKeys()).toEqual(before)
    expect(await placedAs('h')).not.toContain('folders')
    await query(connection, 'drop index webhooks_url')
  })
})

describe('a migration of a distributed database', () => {
  async function migrating(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('begin')
    await work(client)
    await client.query('commit')
    await client.end()
  }

  it('places its new tables', async () => {
    await migrating(placeNewTables)
    expect(await placedAs('h')).toEqual([...distributedTables].sort())
    expect(localTables.some(table => (distributedTables as readonly string[]).includes(table))).toBe(false)
  })

  it('places a new table that Citus lists because of a foreign key to a reference table', async () => {
    await query(
      connection,
      `update pg_dist_partition set partmethod = 'n', repmodel = 's' where logicalrelid = 'webhooks'::regclass`,
    )
    await migrating(placeNewTables)
    expect(await placedAs('h')).toContain('webhooks')
  })

  it('leaves out a table that a later migration makes', async () => {
    await query(
      connection,
      `delete from pg_dist_partition where logicalrelid = 'webhooks'::regclass;
       alter table webhooks rename to webhooks_of_later`,
    )
    await migrating(placeNewTables)
    expect(await placedAs('h')).not.toContain('webhooks_of_later')
    await query(connection, 'alter table webhooks_of_later rename to webhooks')
  })

  it('changes tables of all kinds in one transaction', async () => {
    await migrating(async client => {
      await prepareMigration(client)
      const { rows } = await client.query('show citus.multi_shard_modify_mode')
      expect(rows).toEqual([{ 'citus.multi_shard_modify_mode': 'sequential' }])
    })
  })
})
