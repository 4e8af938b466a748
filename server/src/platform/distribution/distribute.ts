// Places the tables of a database with the Citus extension on the nodes of its cluster, as tables.ts says.
import pg from 'pg'
import { OperatorError } from '#kernel/base/errors.ts'
import { distributedTables, referenceTables } from './tables.ts'

/** Tables that were placed now, and the number of those that were placed before. */
export interface PlacedTables {
  readonly placed: readonly string[]
  /** Tables that had their place before. */
  readonly unchanged: number
}

export interface Distribution extends PlacedTables {
  /** Tables whose rows on the coordinator were removed, because they are on the nodes now. */
  readonly emptied: readonly string[]
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Enough for 32 nodes with one shard of each table; a shard cannot be split later without moving its rows. */
export const defaultShards = 32

type Client = Pick<pg.ClientBase, 'query'>

const read = async <Row extends pg.QueryResultRow>(client: Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows

/** True if the extension is there, under the name of one of its functions. */
async function isCitus(client: Client): Promise<boolean> {
  const [row] = await read<{ found: boolean }>(
    client,
    `select to_regprocedure('citus_version()') is not null as found`,
  )
  return row?.found ?? false
}

const declaredTables: readonly string[] = [...referenceTables, ...distributedTables]

const listOf = (tables: readonly string[]): string => `any ('{${tables.join()}}')`

/**
 * Selects the placed tables among those that tables.ts declares; Citus lists the months of events too. A new table with
 * a foreign key to a reference table is listed as well, but is on the coordinator alone until it is placed.
 */
const fromPlaced = `
  from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
  where c.relnamespace = 'public'::regnamespace and c.relname = ${listOf(declaredTables)}
    and (p.partmethod = 'h' or p.repmodel = 't')`

async function placedTables(client: Client): Promise<ReadonlySet<string>> {
  const rows = await read<{ name: string }>(client, `select c.relname as name ${fromPlaced}`)
  return new Set(rows.map(({ name }) => name))
}

/** Tables that are declared and not placed. One that a later migration makes is left out. */
async function missingOf<Table extends string>(
  client: Client,
  declared: readonly Table[],
  before: ReadonlySet<string>,
): Promise<Table[]> {
  const rows = await read<{ name: string }>(
    client,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relname = ${listOf(declared)}`,
  )
  const existing = new Set(rows.map(({ name }) => name))
  return declared.filter(table => existing.has(table) && !before.has(table))
}

/** Conditions that the database must meet before its tables can be placed, and the remedy otherwise. */
const clusterChecks: readonly { readonly condition: string; readonly otherwise: string }[] = [
  {
    condition: 'select from pg_dist_local_group where groupid = 0',
    otherwise: 'This PostgreSQL is a worker of a cluster: connect to its coordinator.',
  },
  {
    condition: 'select from pg_dist_node where groupid = 0',
    otherwise:
      "The coordinator does not know its own address. Run `select citus_set_coordinator_host('<host>', <port>)` in the database first.",
  },
  {
    condition: "select from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'",
    otherwise:
      "The cluster has no node for the rows. Run `select citus_add_node('<host>', <port>)` for each worker first.",
  },
]

/** Also for the tests and benchmarks that need a cluster. */
export async function checkCluster(client: Client): Promise<void> {
  if (!(await isCitus(client)))
    throw new OperatorError(
      'This PostgreSQL has no Citus extension, so there is nothing to distribute. One PostgreSQL serves most installations: see "A cluster" in docs/operate/operating.md.',
    )
  for (const { condition, otherwise } of clusterChecks) {
    const [row] = await read<{ found: boolean }>(client, `select exists (${condition}) as found`)
    if (!row?.found) throw new OperatorError(otherwise)
  }
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
       and (own.relname = ${listOf(tables)} or other.relname = ${listOf(tables)})
     order by own.relname, k.conname`,
  )

/**
 * Until the transaction ends. Otherwise Citus opens one connection per shard, and a foreign key would wait for the other
 * ones of this transaction; a change of a reference table after a change of all shards would be refused.
 */
const useOneConnectionPerNode = (client: Client) =>
  client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)

/** In the caller's transaction. */
async function placeMissing(client: Client, shards: number): Promise<PlacedTables> {
  const before = await placedTables(client)
  const references = await missingOf(client, referenceTables, before)
  const distributed = await missingOf(client, distributedTables, before)
  const placed = [...references, ...distributed]
  if (placed.length === 0) return { placed, unchanged: before.size }
  await useOneConnectionPerNode(client)
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

/**
 * Citus copies the rows of a table to the nodes and leaves the old ones on the coordinator. No query reads these, but
 * they fill the disk, and a later migration fails when its index or constraint does not suit them. A table and the
 * tables with foreign keys to it are emptied together.
 */
async function emptyLocalTables(client: Client): Promise<string[]> {
  const rows = await read<{ name: string }>(
    client,
    `select c.relname as name ${fromPlaced}
       and pg_relation_size(c.oid)
         + coalesce((select sum(pg_relation_size(t.relid)) from pg_partition_tree(c.oid) t), 0) > 0
     order by 1`,
  )
  for (const { name } of rows)
    await client.query(`select truncate_local_data_after_distributing_table('${name}')`)
  return rows.map(({ name }) => name)
}

async function inTransactionOf<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const isOutOfLocks = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '53200'

/**
 * Does nothing for tables that have their place, so it can be repeated. The old rows are removed after the commit: a
 * run that ends in between leaves them to the next one.
 */
export async function distribute(client: Client, shards: number): Promise<Distribution> {
  await checkCluster(client)
  try {
    const placement = await inTransactionOf(client, () => placeMissing(client, shards))
    return { ...placement, emptied: await inTransactionOf(client, () => emptyLocalTables(client)) }
  } catch (error) {
    if (!isOutOfLocks(error)) throw error
    throw new OperatorError(
      'A node has no room for more locks: each shard of each table is locked on its own. Set `max_locks_per_transaction = 1024` on every node, restart them, and run this command again.',
    )
  }
}

export async function isDistributed(client: Client): Promise<boolean> {
  if (!(await isCitus(client))) return false
  const tables = await placedTables(client)
  return distributedTables.some(table => tables.has(table))
}

/** For migrations, at the beginning of their transaction: they can change tables of all kinds, in any order. */
export async function prepareMigration(client: Client): Promise<void> {
  if (await isDistributed(client)) await useOneConnectionPerNode(client)
}

/** For migrations, in their transaction: places new tables of a database that is distributed already. */
export async function placeNewTables(client: Client): Promise<void> {
  if (await isDistributed(client)) await placeMissing(client, defaultShards)
}
