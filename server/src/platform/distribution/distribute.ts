// Places the tables of a database with the Citus extension on the nodes of its cluster, as tables.ts says.
import type pg from 'pg'
import { OperatorError } from '#kernel/errors.ts'
import { distributedTables, referenceTables } from './tables.ts'

/** Of the database, before and after. */
export interface PlacedTables {
  readonly placed: readonly string[]
  /** Tables that had their place before. */
  readonly unchanged: number
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Enough for 32 nodes with one shard of each table; a shard cannot be split later without moving its rows. */
export const defaultShards = 32

type Client = Pick<pg.ClientBase, 'query'>

async function read<Row extends pg.QueryResultRow>(client: Client, text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows
}

/** Whether the extension is there, under the name of one of its functions. */
async function isCitus(client: Client): Promise<boolean> {
  const [row] = await read<{ found: boolean }>(
    client,
    `select to_regprocedure('citus_version()') is not null as found`,
  )
  return row?.found ?? false
}

async function placedTables(client: Client): Promise<ReadonlySet<string>> {
  const rows = await read<{ name: string }>(
    client,
    'select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid',
  )
  return new Set(rows.map(({ name }) => name))
}

async function checkCluster(client: Client): Promise<void> {
  if (!(await isCitus(client)))
    throw new OperatorError(
      'This PostgreSQL has no Citus extension, so there is nothing to distribute. One PostgreSQL serves most installations: see "A cluster" in docs/operating.md.',
    )
  const [row] = await read<{ found: boolean }>(
    client,
    'select exists (select from pg_dist_node where groupid = 0) as found',
  )
  if (!row?.found)
    throw new OperatorError(
      "The coordinator does not know its own address. Run `select citus_set_coordinator_host('<host>', <port>)` in the database first.",
    )
}

/** Those of tables that change their place, in both directions: Citus refuses to place a table that has one. */
const foreignKeysOf = (client: Client, tables: readonly string[]): Promise<ForeignKey[]> =>
  read(
    client,
    `select own.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k
     join pg_class own on own.oid = k.conrelid
     join pg_class other on other.oid = k.confrelid
     where k.contype = 'f' and k.conparentid = 0 and own.relnamespace = 'public'::regnamespace
       and (own.relname = any ('{${tables.join()}}') or other.relname = any ('{${tables.join()}}'))
     order by own.relname, k.conname`,
  )

/** In the caller's transaction. */
async function placeMissing(client: Client, shards: number): Promise<PlacedTables> {
  const before = await placedTables(client)
  const references = referenceTables.filter(table => !before.has(table))
  const distributed = distributedTables.filter(table => !before.has(table))
  const placed = [...references, ...distributed]
  if (placed.length === 0) return { placed, unchanged: before.size }
  // Otherwise Citus opens one connection per shard, and a foreign key would wait for the other ones of this transaction.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  const foreignKeys = await foreignKeysOf(client, placed)
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of references) await client.query(`select create_reference_table('${table}')`)
  let together = distributedTables.find(table => before.has(table))
  for (const table of distributed) {
    const where = together
      ? `colocate_with => '${together}'`
      : `colocate_with => 'none', shard_count => ${shards}`
    await client.query(`select create_distributed_table('${table}', 'workspace_id', ${where})`)
    together ??= table
  }
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  return { placed, unchanged: before.size }
}

/** Does nothing for tables that have their place, so it can be repeated. */
export async function distribute(client: Client, shards: number): Promise<PlacedTables> {
  await checkCluster(client)
  await client.query('begin')
  try {
    const placement = await placeMissing(client, shards)
    await client.query('commit')
    return placement
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** For migrations, in their transaction: places new tables of a database that is distributed already. */
export async function placeNewTables(client: Client): Promise<void> {
  if (!(await isCitus(client))) return
  const placed = await placedTables(client)
  if (distributedTables.some(table => placed.has(table))) await placeMissing(client, defaultShards)
}
