// A PostgreSQL that one test owns and restarts, in a data folder with a migrated database.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { passwordOf, port, prepareDataFolder, start, stop } from '#platform/embedded-postgres/server.ts'
import { urlOf } from './postgres.ts'

export interface OwnPostgres {
  readonly connection: pg.ClientConfig
  readonly url: string
  /** The same as `pg_ctl restart -m <mode>`. Returns when PostgreSQL accepts connections again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

export async function startOwnPostgres(dataDir: string): Promise<OwnPostgres> {
  const paths = await prepareDataFolder(dataDir)
  const password = await passwordOf(paths)
  const connection = { host: paths.sockets, port, user: 'signoff', password, database: 'signoff' }
  const begin = async () => {
    await start(paths, {})
    while (!(await isAnswering(connection))) await sleep(10)
  }
  await begin()
  return {
    connection,
    url: urlOf(connection),
    async restart(mode) {
      await stop(paths.folder, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await begin()
    },
    stop: () => stop(paths.folder),
  }
}

async function isAnswering(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  if (isConnected) await client.end()
  return isConnected
}
