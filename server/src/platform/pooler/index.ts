// Checks a PostgreSQL server before it is used: its version, and whether Signoff can work with the connection pooler
// that stands before it.
import { randomUUID } from 'node:crypto'
import { OperatorError } from '#kernel/base/errors.ts'
import { isUnreachable } from '#kernel/db/db.ts'
import { locks } from '#kernel/db/locks.ts'
import { withClient } from './client.ts'
import { inspect } from './inspection.ts'
import { poolerVersion } from './version.ts'

export interface ServerAddresses {
  /** DATABASE_URL. */
  readonly url: string
  /** SIGNOFF_DIRECT_DATABASE_URL. */
  readonly directUrl: string | null
}

const guide = 'docs/operate/operating.md, "A connection pooler"'

/** Throws an error that says in one line what is wrong, and what to do. */
export async function checkServer({ url, directUrl }: ServerAddresses): Promise<void> {
  const connection = await inspect('DATABASE_URL', url)
  if (connection.isPooled && !connection.tracksStatements) throw await untracked(url)
  if (directUrl === null) {
    if (connection.isPooled)
      throw new OperatorError(
        `DATABASE_URL leads to a connection pooler: set SIGNOFF_DIRECT_DATABASE_URL to the address of PostgreSQL itself as well (${guide}).`,
      )
    return
  }
  const direct = await inspect('SIGNOFF_DIRECT_DATABASE_URL', directUrl)
  if (direct.isPooled)
    throw new OperatorError(
      `SIGNOFF_DIRECT_DATABASE_URL leads to a connection pooler: set it to the address of PostgreSQL itself (${guide}).`,
    )
  await checkSameDatabase(url, directUrl)
}

async function untracked(url: string): Promise<OperatorError> {
  const { name, isTooOld } = await poolerVersion(url)
  const remedy = isTooOld
    ? 'install 1.21 or newer'
    : 'set `pool_mode = transaction` and `max_prepared_statements = 500` in its configuration (PgBouncer 1.21 or newer)'
  return new OperatorError(
    `DATABASE_URL: ${name} does not track prepared statements: ${remedy}, or set DATABASE_URL to PostgreSQL itself (${guide}).`,
  )
}

/** A lock of one connection is seen by the other one only in the same database of the same server. */
async function checkSameDatabase(url: string, directUrl: string): Promise<void> {
  const values = [randomUUID()]
  const lock = `hashtextextended($1, ${locks.sameDatabase})`
  const isSame = await withClient({ connectionString: directUrl }, async direct => {
    await direct.query('begin')
    await direct.query(`select pg_advisory_xact_lock(${lock})`, values)
    return withClient({ connectionString: url }, async pooled => {
      await pooled.query('begin')
      const { rows } = await pooled.query(`select pg_try_advisory_xact_lock(${lock}) as got`, values)
      await pooled.query('rollback')
      return rows[0]?.got === false
    })
  }).catch(error => {
    if (isUnreachable(error))
      throw new OperatorError(`DATABASE_URL: the pooler cannot run a transaction (${error.message}).`)
    throw error
  })
  if (!isSame)
    throw new OperatorError(
      'SIGNOFF_DIRECT_DATABASE_URL must lead to the same database of the same server as DATABASE_URL.',
    )
}
