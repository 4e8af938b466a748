// Test databases in a Citus cluster. Citus connects the nodes of a database by its name, so each test database exists on
// every node. They are copies of a distributed template: placing all tables anew would take longer than most test files.
import pg from 'pg'
import { OperatorError } from '#kernel/base/errors.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { checkCluster, distribute } from '#platform/distribution/distribute.ts'

/** Set by `npm run test:citus`. */
export const runsOnCluster = process.env.SIGNOFF_TEST_CITUS === '1'

export interface ClusterNode {
  /** As the other nodes know it. */
  readonly host: string
  readonly port: number
  /** To a database that exists on every node. */
  readonly connection: pg.ClientConfig
}

/** A statement for a node, in the database of this name; in the one that exists on every node without a name. */
export interface NodeStatement {
  readonly node: ClusterNode
  readonly database?: string
  readonly text: string
  /** Its sessions are ended before, and again if one comes back: the maintenance daemon of Citus does at any time. */
  readonly unused?: string
}

/** Few, because each shard of each table is a table: a test database has about 90 tables. */
const testShards = 4

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const oneLineOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(oneLineOf).join(', ')
    : (error as Error).message.replace(/\s+/g, ' ')

/** The URL is not that of a coordinator with its workers. */
export class NoTestCluster extends OperatorError {}

/** The nodes, the coordinator first. */
export async function findTestCluster(url: string | undefined): Promise<readonly ClusterNode[]> {
  if (!url)
    throw new NoTestCluster(
      'Set SIGNOFF_TEST_DATABASE_URL to the coordinator of a Citus cluster: see "Tests on a cluster" in docs/internals/testing.md.',
    )
  try {
    const nodes = await withClient({ connectionString: url }, readNodes)
    for (const node of nodes) await reach(node)
    return nodes
  } catch (error) {
    throw new NoTestCluster(`SIGNOFF_TEST_DATABASE_URL: ${oneLineOf(error)}`)
  }
}

const reach = ({ host, port, connection }: ClusterNode): Promise<void> =>
  withClient(connection, async () => undefined).catch(error => {
    throw new Error(`The node ${host}:${port} cannot be reached: ${oneLineOf(error)}`)
  })

/** The coordinator keeps its address: the tests can know it under another one than the workers do. */
async function readNodes(client: pg.Client): Promise<readonly ClusterNode[]> {
  await checkCluster(client)
  const { user, password, database, ssl, host, port } = client
  const own = { user, password, database, ssl }
  const { rows } = await client.query<{ id: number; host: string; port: number }>(
    `select groupid as id, nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive order by groupid`,
  )
  return rows.map(({ id, ...address }) => ({
    ...address,
    connection: { ...own, ...(id === 0 ? { host, port } : address) } as pg.ClientConfig,
  }))
}

/** The statements that make an empty database of a cluster, in their order. */
export function clusterDatabase(nodes: readonly ClusterNode[], database: string): readonly NodeStatement[] {
  const [coordinator, ...workers] = nodes
  if (!coordinator) return []
  return [
    ...dropEverywhere(nodes, database),
    ...nodes.map(node => ({ node, text: `create database ${database}` })),
    ...nodes.map(node => ({ node, database, text: 'create extension citus' })),
    {
      node: coordinator,
      database,
      text: `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    },
    ...workers.map(({ host, port }) => ({
      node: coordinator,
      database,
      text: `select citus_add_node('${host}', ${port})`,
    })),
  ]
}

const endSessions = (database: string): string =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`

/** From now on only copies are made of it: the maintenance daemon does not come back. */
export const closeEverywhere = (nodes: readonly ClusterNode[], database: string): readonly NodeStatement[] =>
  nodes.map(node => ({ node, text: `alter database ${database} with allow_connections false` }))

export const copyEverywhere = (
  nodes: readonly ClusterNode[],
  from: string,
  to: string,
): readonly NodeStatement[] =>
  nodes.map(node => ({
    node,
    unused: from,
    text: `create database ${to} template ${from} strategy file_copy`,
  }))

/** The coordinator first: its sessions would otherwise open new ones to the workers. */
export const dropEverywhere = (nodes: readonly ClusterNode[], database: string): readonly NodeStatement[] =>
  nodes.map(node => ({ node, unused: database, text: `drop database if exists ${database} with (force)` }))

const isInUse = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55006'

export async function runOnNodes(statements: readonly NodeStatement[]): Promise<void> {
  for (const { node, database, text, unused } of statements)
    await withClient({ ...node.connection, ...(database !== undefined && { database }) }, async client => {
      for (let attempt = 1; ; attempt++)
        try {
          if (unused !== undefined) await client.query(endSessions(unused))
          return await client.query(text)
        } catch (error) {
          if (!isInUse(error) || attempt === 100) throw error
        }
    })
}

/** A migrated and distributed database. */
export async function makeDistributed(
  nodes: readonly ClusterNode[],
  database: string,
  shards: number,
): Promise<pg.ClientConfig> {
  await runOnNodes(clusterDatabase(nodes, database))
  const connection = { ...nodes[0]?.connection, database }
  const pool = openPool({ connection, size: 3, onError: () => undefined })
  await migrate(pool.pg, createLog('silent'))
  const client = await pool.pg.connect()
  await client.query('set statement_timeout = 0')
  await distribute(client, shards).finally(() => client.release(true))
  await pool.end()
  return connection
}

/** A distributed database that `copyEverywhere` can copy. */
export async function prepareClusterTemplate(nodes: readonly ClusterNode[], database: string): Promise<void> {
  await makeDistributed(nodes, database, testShards)
  await runOnNodes(closeEverywhere(nodes, database))
}
