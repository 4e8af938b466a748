// The connection with which a process takes part in the embedded PostgreSQL: it holds the locks that tell others who is here.
import pg from 'pg'
import { CommandError } from '#kernel/errors.ts'
import { locks } from '#kernel/locks.ts'

/** PostgreSQL answers at once, also while it recovers; a machine may be busy. */
const connectMilliseconds = 10_000

export async function connect(connection: pg.ClientConfig, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: name,
    connectionTimeoutMillis: connectMilliseconds,
  })
  client.on('error', () => undefined) // 'end' follows
  await client.connect()
  return client
}

/** `absent`: no process listens. `busy`: PostgreSQL is starting, recovering or stopping. Null: another failure. */
export function reasonToWait(error: unknown): 'absent' | 'busy' | null {
  const { code = '', message } = error as Error & { code?: string }
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
  const isBusy = code === 'ECONNRESET' || code === 'EPIPE' || /^57P/.test(code)
  return isBusy || /terminated unexpectedly|timeout expired/.test(message) ? 'busy' : null
}

async function tryLock(client: pg.Client, how: string, key: number): Promise<boolean> {
  const { rows } = await client.query(`select ${how}($1) as got`, [key])
  return rows[0]?.got === true
}

/** The lock of every process that uses PostgreSQL. False while the last one leaves, which stops PostgreSQL. */
export const joinServer = (guard: pg.Client): Promise<boolean> =>
  tryLock(guard, 'pg_try_advisory_lock_shared', locks.embeddedInUse)

interface Holder {
  readonly name: string
  readonly since: string
}

/** The lock of the one process that serves: `ours` now, or the session that holds it; null when that has just ended. */
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
  const claimed = await claimServing(guard)
  if (claimed === 'ours') return
  const { name, since } = claimed ?? { name: 'another server', since: 'just now' }
  throw new CommandError(
    `The data folder ${dataDir} is in use by ${name}, since ${since} UTC. Stop that one first, give this one a SIGNOFF_DATA_DIR of its own, or let both share a server with DATABASE_URL.`,
  )
}

/**
 * Takes the locks again after the connection was lost. `again`: a session that is about to end still holds one of them, such
 * as our own of before. `replaced`: another process serves by now.
 */
export async function rejoinServer(
  guard: pg.Client,
  { user, exclusive }: { readonly user: string; readonly exclusive: boolean },
): Promise<'joined' | 'again' | 'replaced'> {
  if (!(await joinServer(guard))) return 'again'
  if (!exclusive) return 'joined'
  const claimed = await claimServing(guard)
  if (claimed === 'ours') return 'joined'
  return claimed === null || claimed.name === user ? 'again' : 'replaced'
}

/** Gives the lock back; true when no other process holds it, which keeps others out from now on. */
export async function leaveAsLast(guard: pg.Client): Promise<boolean> {
  await guard.query('select pg_advisory_unlock_shared($1)', [locks.embeddedInUse])
  return tryLock(guard, 'pg_try_advisory_lock', locks.embeddedInUse)
}
