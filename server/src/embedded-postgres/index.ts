// A PostgreSQL of our own in the data folder. The binaries come from npm; the process is ours to start, share and stop:
// - It outlives a `kill -9` of the service and is then simply used again.
// - Everybody who uses it holds a shared lock in it, and whoever leaves last stops it. So the command line works with
//   and without a running server, and neither pulls the database from under the other.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Stop } from '../kernel/errors.ts'
import { isRunning, lastLines, type Place, passwordOf, port, prepare, start, stop } from './server.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  /** A name of at most 60 characters that tells others who is here. */
  readonly user: string
  /** Only one may serve from a data folder; anybody may help or look. */
  readonly exclusive: boolean
  readonly settings?: Readonly<Record<string, string>>
  /** The server went away although nobody asked it to. */
  readonly onLost?: () => void
}

export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig
  /** Where PostgreSQL keeps its files. */
  readonly folder: string
  /** Leaves, and stops the server if nobody else is there. */
  release(): Promise<void>
}

const locks = { inUse: 7_364_001, serving: 7_364_002 }

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await prepare(options.dataDir)
  const connection = { host: place.sockets, port, user: 'signoff', password: await passwordOf(place) }
  let guard: pg.Client | null = await enter(place, connection, options)
  try {
    if (options.exclusive) await claim(guard, options.dataDir)
    await createDatabase(guard)
  } catch (error) {
    await leave(guard, place)
    throw error
  }
  let leaving = false
  const watch = (watched: pg.Client): void => void watched.once('end', () => void returnAfterCrash())
  /** PostgreSQL drops every connection when one of its processes dies, and comes back by itself; then the locks are taken again. */
  const returnAfterCrash = async (): Promise<void> => {
    if (leaving) return
    guard = await reenter(place, connection, options.user, () => leaving).catch(() => null)
    if (guard && (!options.exclusive || (await tryLock(guard, 'pg_try_advisory_lock', locks.serving))))
      watch(guard)
    else if (!leaving) options.onLost?.()
  }
  watch(guard)
  return {
    connection: { ...connection, database: 'signoff' },
    folder: place.folder,
    async release() {
      leaving = true
      if (guard) await leave(guard, place)
    },
  }
}

/** Connects again to a server that still runs, and takes the shared lock. Null when it does not run any more. */
async function reenter(
  place: Place,
  connection: pg.ClientConfig,
  user: string,
  isLeaving: () => boolean,
): Promise<pg.Client | null> {
  while (!isLeaving() && (await isRunning(place.folder))) {
    const guard = await connect(connection, user)
    if (guard && (await tryLock(guard, 'pg_try_advisory_lock_shared', locks.inUse))) return guard
    await guard?.end()
    await sleep(100)
  }
  return null
}

/** Connects to the running server, or starts it, and takes the shared lock. */
async function enter(
  place: Place,
  connection: pg.ClientConfig,
  options: EmbeddedOptions,
): Promise<pg.Client> {
  const deadline = Date.now() + 60_000
  let child: ChildProcess | null = null
  for (;;) {
    const guard = await connect(connection, options.user)
    if (guard) {
      if (await tryLock(guard, 'pg_try_advisory_lock_shared', locks.inUse)) return guard
      await guard.end() // somebody is leaving as the last one: the server is about to stop
    } else if (child === null && !(await isRunning(place.folder))) {
      child = await start(place, options.settings ?? {})
    } else if (child !== null && child.exitCode !== null) {
      // Somebody else may have started it in the same moment; otherwise it says why it could not.
      if (!(await isRunning(place.folder)))
        throw new Stop(`PostgreSQL did not start: ${await lastLines(place.log)}`)
      child = null
    }
    if (Date.now() > deadline) {
      throw new Stop(`PostgreSQL does not answer in ${place.folder}: ${await lastLines(place.log)}`)
    }
    await sleep(20)
  }
}

const notYet = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

async function connect(connection: pg.ClientConfig, name: string): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: name })
  client.on('error', () => undefined) // 'end' follows
  try {
    await client.connect()
    return client
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    // Starting up, shutting down, or gone in between.
    if (notYet.has(code) || /^57P/.test(code) || /terminated unexpectedly/.test(message)) return null
    throw error
  }
}

async function tryLock(client: pg.Client, how: string, key: number): Promise<boolean> {
  const { rows } = await client.query(`select ${how}($1) as got`, [key])
  return rows[0]?.got === true
}

async function claim(guard: pg.Client, dataDir: string): Promise<void> {
  if (await tryLock(guard, 'pg_try_advisory_lock', locks.serving)) return
  const { rows } = await guard.query(
    `select a.application_name, to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted limit 1`,
    [locks.serving],
  )
  const { application_name: holder = 'another server', since = 'just now' } = rows[0] ?? {}
  throw new Stop(
    `The data folder ${dataDir} is in use by ${holder}, since ${since} UTC. Stop that one first, give this one a SIGNOFF_DATA_DIR of its own, or let both share a server with DATABASE_URL.`,
  )
}

async function createDatabase(guard: pg.Client): Promise<void> {
  const { rows } = await guard.query(`select from pg_database where datname = 'signoff'`)
  if (rows.length > 0) return
  await guard.query('create database signoff').catch(error => {
    if (error.code !== '42P04' && error.code !== '23505') throw error // made by another process meanwhile
  })
}

async function leave(guard: pg.Client, place: Place): Promise<void> {
  try {
    await guard.query('select pg_advisory_unlock_shared($1)', [locks.inUse])
    if (await tryLock(guard, 'pg_try_advisory_lock', locks.inUse)) await stop(place.folder)
  } catch {
    // The server is gone already, and the lock with it.
  } finally {
    await guard.end().catch(() => undefined)
  }
}
