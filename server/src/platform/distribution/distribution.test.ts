// `signoff distribute` without a cluster. On one: on-cluster.test.ts.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { runsOnCluster } from '#test/support/postgres/test-cluster.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { distribute } from './distribute.ts'
import { distributedTables, referenceTables } from './tables.ts'

const run = async (connection: pg.ClientConfig, ...options: string[]) =>
  command(['distribute', ...options], {
    DATABASE_URL: urlOf(connection),
    SIGNOFF_DATA_DIR: await emptyFolder(),
  })

describe('signoff distribute', () => {
  it.skipIf(runsOnCluster)('says that a PostgreSQL without Citus has nothing to distribute', async () => {
    const { code, err } = await run(await freshDatabase())
    expect(code).toBe(1)
    expect(err).toContain('This PostgreSQL has no Citus extension')
  })

  it('refuses a number of shards that no cluster has', async () => {
    const connection = await freshDatabase()
    expect((await run(connection, '--shards', '0')).err).toContain('must be from 1 to 1024, not 0.')
    expect((await run(connection, '--shards', 'many')).err).toContain('must be a whole number')
  })
})

const declared: readonly string[] = [...referenceTables, ...distributedTables]
const foreignKey = { table: 'folders', name: 'folders_workspace', definition: 'foreign key (workspace_id) …' }

/** A coordinator on which these tables have their place. It notes what it is told to change. */
function coordinator(placed: readonly string[]) {
  const changes: string[] = []
  const named = (names: readonly string[]) => names.map(name => ({ name }))
  const answers: readonly [RegExp, readonly object[]][] = [
    [/ as found$/, [{ found: true }]],
    [/from pg_constraint/, [foreignKey]],
    [/pg_relation_size/, named(['workspaces'])],
    [/from pg_dist_partition/, named(placed)],
    [/from pg_class/, named(declared.filter(name => name !== 'webhooks'))],
  ]
  const query = async (text: string) => {
    const rows = answers.find(([question]) => question.test(text))?.[1]
    if (!rows) changes.push(text)
    return { rows: rows ?? [] }
  }
  return { changes, client: { query } as unknown as pg.ClientBase }
}

describe('placing tables', () => {
  it('drops foreign keys, places references, then the others together, and adds the keys again', async () => {
    const { changes, client } = coordinator([])
    const { placed, emptied } = await distribute(client, 8)
    const distributed = distributedTables.filter(table => table !== 'webhooks')
    expect(changes).toEqual([
      'begin',
      `set local citus.multi_shard_modify_mode = 'sequential'`,
      'alter table folders drop constraint folders_workspace',
      ...referenceTables.map(table => `select create_reference_table('${table}')`),
      ...distributed.map((table, n) => {
        const where = n === 0 ? `'none', shard_count => 8` : `'${distributed[0]}'`
        return `select create_distributed_table('${table}', 'workspace_id', colocate_with => ${where})`
      }),
      `alter table folders add constraint folders_workspace ${foreignKey.definition}`,
      'commit',
      // Only after the commit: the nodes must have the rows.
      'begin',
      `select truncate_local_data_after_distributing_table('workspaces')`,
      'commit',
    ])
    // A later migration makes the table that is missing.
    expect(placed).not.toContain('webhooks')
    expect(emptied).toEqual(['workspaces'])
  })

  it('places only tables without a place, beside the others', async () => {
    const { changes, client } = coordinator(declared.filter(table => table !== 'folders'))
    expect(await distribute(client, 8)).toMatchObject({ placed: ['folders'], unchanged: declared.length - 1 })
    expect(changes).toContain(
      `select create_distributed_table('folders', 'workspace_id', colocate_with => '${distributedTables[0]}')`,
    )
  })

  it('says which setting is too small when a node runs out of locks', async () => {
    const { client } = coordinator([])
    const { query } = client
    const full = Object.assign(new pg.DatabaseError('out of shared memory', 0, 'error'), { code: '53200' })
    const failing = ((text: string) =>
      text.includes('create_') ? Promise.reject(full) : query(text)) as typeof query
    await expect(distribute({ query: failing }, 8)).rejects.toThrow('max_locks_per_transaction = 1024')
  })
})
