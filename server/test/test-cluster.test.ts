// How the tests find a cluster and make databases in it. None runs here: the statements are compared with what Citus
// documents, and the refusals are real.
import { describe, expect, it } from 'vitest'
import { freshDatabase } from './support/app.ts'
import { addCitusStandIn } from './support/citus.ts'
import { query, urlOf } from './support/postgres.ts'
import {
  type ClusterNode,
  closeEverywhere,
  clusterDatabase,
  copyEverywhere,
  dropEverywhere,
  findTestCluster,
  type NodeStatement,
} from './support/test-cluster.ts'

const refusal = (url?: string): Promise<string> =>
  findTestCluster(url).then(
    () => 'accepted',
    error => error.message,
  )

describe('npm run test:citus', () => {
  it('needs the URL of a coordinator, and says in one line what is missing', async () => {
    expect(await refusal()).toBe(
      'Set SIGNOFF_TEST_DATABASE_URL to the coordinator of a Citus cluster: see "Tests on a cluster" in CONTRIBUTING.md.',
    )
    expect(await refusal('postgres://localhost:1/none')).toMatch(
      /^SIGNOFF_TEST_DATABASE_URL: .*ECONNREFUSED.*$/,
    )
    const connection = await freshDatabase()
    const url = urlOf(connection)
    expect(await refusal(url)).toMatch(
      /^SIGNOFF_TEST_DATABASE_URL: This PostgreSQL has no Citus extension.*$/,
    )
    await addCitusStandIn(connection)
    expect(await refusal(url)).toMatch(/^SIGNOFF_TEST_DATABASE_URL: .*citus_set_coordinator_host.*$/)
    await query(
      connection,
      `insert into pg_dist_node (groupid, nodename, nodeport, shouldhaveshards)
       values (0, 'coordinator', 5432, false), (1, 'localhost', 1, true)`,
    )
    expect(await refusal(url)).toMatch(
      /^SIGNOFF_TEST_DATABASE_URL: The node localhost:1 cannot be reached: .*ECONNREFUSED.*$/,
    )
    await query(connection, 'update pg_dist_local_group set groupid = 2')
    expect(await refusal(url)).toBe(
      'SIGNOFF_TEST_DATABASE_URL: This PostgreSQL is a worker of a cluster: connect to its coordinator.',
    )
  })
})

const nodes: readonly ClusterNode[] = [
  { host: 'coordinator', port: 5432, connection: {} },
  { host: 'worker1', port: 5433, connection: {} },
  { host: 'worker2', port: 5434, connection: {} },
]

const lines = (statements: readonly NodeStatement[]): string[] =>
  statements.map(({ node, database, text }) => `${node.host}${database ? ` ${database}` : ''}: ${text}`)

describe('a test database in a cluster', () => {
  it('gets the extension on every node, then its nodes on the coordinator', () => {
    expect(lines(clusterDatabase(nodes, 'made'))).toEqual([
      'coordinator: drop database if exists made with (force)',
      'worker1: drop database if exists made with (force)',
      'worker2: drop database if exists made with (force)',
      'coordinator: create database made',
      'worker1: create database made',
      'worker2: create database made',
      'coordinator made: create extension citus',
      'worker1 made: create extension citus',
      'worker2 made: create extension citus',
      `coordinator made: select citus_set_coordinator_host('coordinator', 5432)`,
      `coordinator made: select citus_add_node('worker1', 5433)`,
      `coordinator made: select citus_add_node('worker2', 5434)`,
    ])
  })

  it('is copied and dropped on every node, and no session of the template is left', () => {
    const sessions = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'made' and pid <> pg_backend_pid()`
    expect(lines(closeEverywhere(nodes.slice(0, 2), 'made'))).toEqual([
      'coordinator: alter database made with allow_connections false',
      'worker1: alter database made with allow_connections false',
    ])
    expect(lines(copyEverywhere(nodes.slice(0, 2), 'made', 'copy'))).toEqual([
      `coordinator: ${sessions}`,
      'coordinator: create database copy template made strategy file_copy',
      `worker1: ${sessions}`,
      'worker1: create database copy template made strategy file_copy',
    ])
    expect(lines(dropEverywhere(nodes.slice(0, 2), 'copy'))).toEqual([
      'coordinator: drop database if exists copy with (force)',
      'worker1: drop database if exists copy with (force)',
    ])
  })
})
