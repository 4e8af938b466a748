// Opens the configured database: a PostgreSQL server, or the embedded PostgreSQL in the data folder.
import type { Config } from '#config.ts'
import { OperatorError } from '#kernel/base/errors.ts'
import type { Log } from '#kernel/base/log.ts'
import { problemOfConnection } from '#kernel/db/database-problems.ts'
import { openPool, type Pool } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { isDistributed, placeNewTables, prepareMigration } from './distribution/distribute.ts'
import { openEmbedded } from './embedded-postgres/index.ts'
import { checkServer } from './pooler/index.ts'

export interface OpenOptions {
  readonly config: Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'databasePool' | 'dataDir'>
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
  if (config.databaseUrl !== null) {
    onStep?.('Connecting to PostgreSQL…')
    await checkServer({ url: config.databaseUrl, directUrl: config.directDatabaseUrl })
  }
  const at = (connectionString: string) => ({ connectionString, application_name: user })
  const db = openPool({
    connection: embedded?.connection ?? at(config.databaseUrl ?? ''),
    ...(config.directDatabaseUrl !== null && { direct: at(config.directDatabaseUrl) }),
    size: config.databasePool,
    onError: error => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  })
  const close = async (milliseconds?: number) => {
    await db.end(milliseconds)
    await embedded?.release()
  }
  try {
    const applied = await migrate(db.direct, log, {
      onPending: count => onStep?.(`Making or changing tables (${count} migrations)…`),
      prepare: prepareMigration,
      placeTables: placeNewTables,
    })
    const placed = { ...db, isDistributed: await isDistributed(db.direct) }
    return { db: placed, folder: embedded?.folder ?? null, applied, close }
  } catch (error) {
    await close()
    const problem = problemOfConnection(error)
    throw problem === undefined ? error : new OperatorError(problem)
  }
}
