// Opens the configured database: a PostgreSQL server, or the embedded PostgreSQL in the data folder.
import type { Config } from '#config.ts'
import { openPool, type Pool, sql } from '#kernel/db.ts'
import { OperatorError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { placeNewTables } from './distribution/distribute.ts'
import { openEmbedded } from './embedded-postgres/index.ts'

export interface OpenOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDir'>
  readonly log: Log
  readonly user: string
  /** Takes the lock that allows only one process to serve from a data folder. */
  readonly exclusive?: boolean
  /** Stops waiting for an embedded PostgreSQL that is not ready yet. */
  readonly interrupted?: AbortSignal
  readonly onLost?: (reason: string) => void
  /** Called before each step that can take seconds, with words for the user. */
  readonly onStep?: (step: string) => void
}

export interface Database {
  readonly db: Pool
  /** The folder of the embedded PostgreSQL; null for a PostgreSQL server. */
  readonly folder: string | null
  /** The migrations that were applied when it was opened. */
  readonly applied: readonly string[]
  /** Waits for running statements, at most for this time. */
  close(milliseconds?: number): Promise<void>
}

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { config, log, user, exclusive = false, interrupted, onLost, onStep } = options
  const embedded =
    config.databaseUrl === null
      ? await openEmbedded({
          dataDir: config.dataDir,
          user,
          exclusive,
          log,
          ...(interrupted && { interrupted }),
          ...(onLost && { onLost }),
          ...(onStep && { onStep }),
        })
      : null
  const db = openPool({
    connection: embedded?.connection ?? {
      connectionString: config.databaseUrl ?? '',
      application_name: user,
    },
    size: config.databasePool,
    onError: error => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  })
  const close = async (milliseconds?: number) => {
    await db.end(milliseconds)
    await embedded?.release()
  }
  try {
    if (!embedded) {
      onStep?.('Connecting to PostgreSQL…')
      await checkServer(db, config.databaseUrl ?? '')
    }
    const applied = await migrate(db.pg, log, {
      onPending: count => onStep?.(`Making or changing tables (${count} migrations)…`),
      placeTables: placeNewTables,
    })
    return { db, folder: embedded?.folder ?? null, applied, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function checkServer(db: Pool, url: string): Promise<void> {
  const [server] = await db
    .query<{ version: number }>(sql`select current_setting('server_version_num')::int as version`)
    .catch(error => {
      const cause = error.cause instanceof Error ? error.cause : error
      const host = URL.canParse(url) ? ` at ${new URL(url).host}` : ''
      throw new OperatorError(`DATABASE_URL: no PostgreSQL answers${host} (${cause.message || cause.code}).`)
    })
  const version = Math.floor((server?.version ?? 0) / 10_000)
  if (version < 15)
    throw new OperatorError(`DATABASE_URL: this is PostgreSQL ${version}; Signoff needs 15 or newer.`)
}
