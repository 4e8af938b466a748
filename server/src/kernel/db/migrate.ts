// Migrations: numbered SQL files, forward only, one transaction each. Any number of processes can start at the same
// time.
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { OperatorError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { queueLogger } from './jobs.ts'
import { locks } from './locks.ts'

const folder = new URL('../../../migrations/', import.meta.url)

interface Migration {
  readonly version: number
  readonly name: string
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
  return files.map(name => ({ version: Number.parseInt(name, 10), name }))
}

/** Actions of the caller during migrations. */
export interface MigrationHooks {
  readonly onPending?: (count: number) => void
  /** Settings of a cluster, at the beginning of the transaction of each migration. */
  readonly prepare?: (client: pg.ClientBase) => Promise<void>
  /** Places new tables on the nodes of a cluster, in the transaction of their migration. */
  readonly placeTables?: (client: pg.ClientBase) => Promise<void>
}

/** Applies the missing migrations and answers their names. */
export async function migrate(
  pool: pg.Pool,
  log: Log,
  { onPending = () => undefined, ...hooks }: MigrationHooks = {},
): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [locks.migrations])
    await client.query(
      'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null)',
    )
    const migrations = await readMigrations()
    const { rows } = await client.query('select version from schema_migrations')
    const done = new Set(rows.map(row => Number(row.version)))
    const newest = migrations.at(-1)?.version ?? 0
    const current = Math.max(0, ...done)
    if (current > newest) {
      throw new OperatorError(
        `The database is at version ${current}, newer than this Signoff (${newest}): start the newer Signoff, or restore a backup.`,
      )
    }
    const pending = migrations.filter(({ version }) => !done.has(version))
    if (pending.length > 0) onPending(pending.length)
    for (const { name, version } of pending) {
      const text = await readFile(new URL(name, folder), 'utf8')
      await applyMigration(client, { name, version, text }, hooks)
    }
    await runMigrations({ pgPool: pool, logger: queueLogger(log) })
    return pending.map(({ name }) => name)
  } finally {
    // Closing the session releases the lock and resets the setting, also after a failure.
    client.release(true)
  }
}

/** A line of a migration. What needs new tables in their place, such as foreign keys to other tables, is below it. */
const placing = /^-- place tables$/m

/** One statement: to a semicolon outside of comments, texts and `$$` bodies of functions. */
const statement = /(?:--.*|'[^']*'|\$\$[\s\S]*?\$\$|[^;])+/g

export const statementsOf = (text: string): readonly string[] =>
  (text.match(statement) ?? []).filter(part => part.replace(/--.*/g, '').trim() !== '')

/** Citus refuses an index or a constraint that is sent together with other statements. */
export async function applyMigration(
  client: pg.ClientBase,
  { version, name, text }: Migration & { readonly text: string },
  { prepare, placeTables }: Pick<MigrationHooks, 'prepare' | 'placeTables'>,
): Promise<void> {
  await client.query('begin')
  try {
    await prepare?.(client)
    for (const part of text.split(placing)) {
      for (const each of statementsOf(part)) await client.query(each)
      await placeTables?.(client)
    }
    await client.query('insert into schema_migrations (version, name, applied_at) values ($1, $2, now())', [
      version,
      name,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
