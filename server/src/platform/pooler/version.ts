// The version of a PgBouncer, for a message: exact where the user can see it, otherwise from what it accepts.
import pg from 'pg'
import { isRefusedParameter, withClient } from './client.ts'

export interface PoolerVersion {
  /** Such as `PgBouncer 1.18.0`. */
  readonly name: string
  /** Certainly older than 1.21, the first version that tracks prepared statements. */
  readonly isTooOld: boolean
}

export async function poolerVersion(url: string): Promise<PoolerVersion> {
  const version = await shownVersion(url).catch(() => undefined)
  if (version) {
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return { name: `PgBouncer ${version}`, isTooOld: major === 1 && minor < 21 }
  }
  return (await refusesOptions(url))
    ? { name: 'this PgBouncer, which is older than 1.20,', isTooOld: true }
    : { name: 'the connection pooler', isTooOld: false }
}

/** PgBouncer answers in a database of its own, to users that `stats_users` or `admin_users` lists. */
async function shownVersion(url: string): Promise<string | undefined> {
  const { host, port, user, password, ssl } = new pg.Client({ connectionString: url })
  const config = { host, port, user, password, ssl, database: 'pgbouncer' } as pg.ClientConfig
  const { rows } = await withClient(config, client => client.query('show version'))
  return /^PgBouncer (\S+)/.exec(rows[0]?.version)?.[1]
}

/** Versions before 1.20 do not know the start-up parameter `options`. */
const refusesOptions = (url: string): Promise<boolean> =>
  withClient({ connectionString: url, options: '-c IntervalStyle=postgres' }, async () => false).catch(
    isRefusedParameter,
  )
