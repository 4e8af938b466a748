// Finds out what answers at an address: PostgreSQL, or a connection pooler. What a connection does decides, not what it
// says of itself: PgBouncer tells its version to few users.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '#kernel/base/errors.ts'
import { refusalOfDatabase } from '#kernel/db/database-problems.ts'
import { isRefusedParameter, withClient } from './client.ts'

type SettingName = 'DATABASE_URL' | 'SIGNOFF_DIRECT_DATABASE_URL'

export interface Inspected {
  /** A pooler answers: the session can be another one in the next transaction. */
  readonly isPooled: boolean
  /** The pooler prepares a client's statements in each of its connections, under names of its own. */
  readonly tracksStatements: boolean
}

/** A time that no role or database has by default: a connection that has it took it from the start-up. */
const oddMilliseconds = 29_989
const question = `
  select current_setting('server_version_num')::int as version, pg_backend_pid() as pid,
    current_setting('statement_timeout') = '${oddMilliseconds}ms' as keeps_settings,
    exists (select from pg_prepared_statements where name = $1) as keeps_names`

interface Answer {
  readonly version: number
  readonly pid: number
  readonly keeps_settings: boolean
  readonly keeps_names: boolean
}

/**
 * PostgreSQL itself tells the process id of the session. Poolers tell a number of their own, because a request to cancel
 * goes to them. A proxy that does so too, but applies the settings of the start-up and keeps the names of prepared
 * statements, has one session for each connection. PgBouncer refuses or ignores `statement_timeout`.
 */
export async function inspect(setting: SettingName, url: string): Promise<Inspected> {
  const { answer, processId } = await ask(url, { statement_timeout: oddMilliseconds })
    .catch(error => {
      if (isRefusedParameter(error)) return ask(url, {})
      throw error
    })
    .catch(error => {
      throw new OperatorError(`${setting}: ${refusalOfDatabase(error) ?? problemAt(url, error)}`)
    })
  const version = Math.floor(answer.version / 10_000)
  if (version < 15)
    throw new OperatorError(`${setting}: this is PostgreSQL ${version}; Signoff needs 15 or newer.`)
  const keepsSession = processId === answer.pid || (answer.keeps_settings && answer.keeps_names)
  return { isPooled: !keepsSession, tracksStatements: !answer.keeps_names }
}

/** A pooler has few codes, and pg has none where it cannot sign in with what the address has: no password, no TLS. */
const isAnswer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ||
  (error instanceof Error && /^SASL|does not support SSL/.test(error.message))

function problemAt(url: string, error: Error & { readonly code?: string }): string {
  const host = URL.canParse(url) ? ` at ${new URL(url).host}` : ''
  const reason = error.message || error.code
  return isAnswer(error)
    ? `the server${host} refuses the connection (${reason}).`
    : `no PostgreSQL answers${host} (${reason}).`
}

const ask = async (url: string, config: pg.ClientConfig) =>
  withClient({ connectionString: url, ...config }, async client => {
    // A new name: a pooler that passes names on keeps those of earlier checks.
    const name = `signoff_${randomUUID()}`
    const { rows } = await client.query<Answer>({ name, text: question, values: [name] })
    const [answer] = rows
    if (!answer) throw new Error('it answers no row')
    return { answer, processId: (client as unknown as { processID: number }).processID }
  })
