// The guard connection of a process that uses the embedded PostgreSQL. It holds the advisory locks that show other
// processes which processes use the server and which one serves.
import pg from 'pg'
import { OperatorError } from '#kernel/base/errors.ts'
import { locks } from '#kernel/db/locks.ts'

/** PostgreSQL answers immediately, even during recovery. The long timeout is for busy machines. */
const connectMilliseconds = 10_000

export async function connect(connection: pg.ClientConfig, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: name,
    connectionTimeoutMillis: connectMilliseconds,
  })
  client.on('error', () => undefined) // 'end' is emitted too, and handled
  await client.connect()
  return client
}

/** `absent`: no process listens on the socket. `busy`: PostgreSQL starts, recovers or stops. Null: another failure. */
export function reasonToWait(error: unknown): 'absent' | 'busy' | null {
  const { code = '', message } = error as Error & { code?: string }
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
  const isBusy = code === 'ECONNRESET' || code === 'EPIPE' || /^57P/.test(code)
  return isBusy || /terminated unexpectedly|timeout expired/.test(message) ? 'busy' : null
}

async function tryLock(client: pg.Client, lockFunction: string, key: number): Promise<boolean> {
  const { rows } = await client.query(`select ${lockFunction}($1) as got`, [key])
  return rows[0]?.got === true
}

/**
 * Takes the shared lock that every process holds while it uses PostgreSQL. False while the last process stops
 * PostgreSQL.
 */
export const joinServer = (guard: pg.Client): Promise<boolean> =>
  tryLock(guard, 'pg_try_advisory_lock_shared', locks.embeddedInUse)

interface Holder {
  readonly name: string
  readonly since: string
}

/**
 * Takes the exclusive lock of the process that serves. Returns `ours`, or the session that holds the lock; null if that
 * session has just ended.
 */
async function claimServing(guard: pg.Client): Promise<'ours' | Holder | null> {
  if (await tryLock(guard, 'pg_try_advisory_lock', locks.embeddedServing)) return 'ours'
  const { rows } = await guard.query<Holder>(
    `select a.application_name as name, to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted limit 1`,
    [locks.embeddedServing],
  )
  return rows[0] ?? null
}

export async function claimDataFolder(guard: pg.Client, dataDir: string): Promise<void> {
  const holder = await claimServing(guard)
  if (holder === 'ours') return
  const { name, since } = holder ?? { name: 'another server', since: 'just now' }
  throw new OperatorError(
    `The data folder ${dataDir} is in use by ${name}, since ${since} UTC. Stop that one first, give this one a SIGNOFF_DATA_DIR of its own, or let both share a server with DATABASE_URL.`,
  )
}

/**
 * Takes the locks again after the connection was lost. `again`: a session that is about to end, such as the lost one of
 * this process, still holds a lock; retry. `replaced`: another process serves now.
 */
export async function rejoinServer(
  guard: pg.Client,
  { user, exclusive }: { readonly user: string; readonly exclusive: boolean },
): Promise<'joined' | 'again' | 'replaced'> {
  if (!(await joinServer(guard))) return 'again'
  if (!exclusive) return 'joined'
  const holder = await claimServing(guard)
  if (holder === 'ours') return 'joined'
  return holder === null || holder.name === user ? 'again' : 'replaced'
}

/**
 * Releases the shared lock. True if no other process holds it: then the lock is now exclusive and no process can join.
 */
export async function leaveAsLast(guard: pg.Client): Promise<boolean> {
  await guard.query('select pg_advisory_unlock_shared($1)', [locks.embeddedInUse])
  return tryLock(guard, 'pg_try_advisory_lock', locks.embeddedInUse)
}
