// Connections outside the pool: each is kept for one kind of work, can COPY, and has a name under which other processes
// can find out whether its session has ended.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { destroyConnection } from './cancelling.ts'
import {
  beginAt,
  type Db,
  isUnreachable,
  type Pool,
  runStatement,
  type Sql,
  sql,
  transactionOn,
  withRetries,
} from './db.ts'
import { locks, namedLock } from './locks.ts'
import { queriesBy } from './query-forms.ts'

export interface DedicatedDb extends Db {
  /** `copy … from stdin`, with its rows as text. */
  copy(statement: Sql, rows: string): Promise<void>
  /** The name of the session: see `isDatabaseSessionGone`. */
  readonly session: string
}

/** A connection outside the pool, for one piece of work at a time. A lost connection is opened again. */
export interface DedicatedConnection {
  /**
   * After a collision `work` runs again. If all of it is one transaction, the second run finds nothing of the first.
   */
  run<T>(work: (db: DedicatedDb) => Promise<T>): Promise<T>
  end(): Promise<void>
}

const sessionLock = (name: string): Sql => namedLock(locks.session, name)

/**
 * In a transaction: whether the session of this name has ended, and with it everything that it had not committed. A
 * lost connection does not prove that: PostgreSQL can still be executing the statement that it received.
 */
export async function isDatabaseSessionGone(tx: Db, session: string): Promise<boolean> {
  const isOver = await tx.value<boolean>(sql`select pg_try_advisory_xact_lock(${sessionLock(session)})`)
  return isOver ?? false
}

export interface DatabaseSession {
  readonly client: pg.Client
  readonly name: string
}

/**
 * Opens a session within so many milliseconds. The keepalive settings make PostgreSQL end the session within a minute,
 * not after hours, when this process is gone.
 */
export async function openDatabaseSession(
  pool: Pool,
  timeoutMilliseconds: number,
  name: string = randomUUID(),
): Promise<DatabaseSession> {
  const client = new pg.Client(pool.direct.options)
  client.on('error', () => undefined) // the running or the next statement fails with it
  const timer = setTimeout(() => destroyConnection(client), timeoutMilliseconds)
  try {
    await client.connect()
    await runStatement(
      client,
      sql`
        select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
          set_config('tcp_keepalives_count', '3', false), pg_advisory_lock_shared(${sessionLock(name)})`,
    )
    return { client, name }
  } catch (error) {
    destroyConnection(client)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The messages CopyData (with its length) and CopyDone of PostgreSQL's protocol. */
function copyMessages(rows: string): Buffer {
  const length = Buffer.byteLength(rows)
  const bytes = Buffer.allocUnsafe(length + 10)
  bytes.write('d')
  bytes.writeInt32BE(length + 4, 1)
  bytes.write(rows, 5)
  bytes.write('c', length + 5)
  bytes.writeInt32BE(4, length + 6)
  return bytes
}

/**
 * Sends the rows right behind the statement, in one write. PostgreSQL ignores the rows when it refuses the statement,
 * so waiting for its CopyInResponse would only cost a round trip.
 */
function copyOver(client: pg.Client, text: string, rows: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.query({
    submit(connection: pg.Connection) {
      connection.stream.cork()
      connection.query(text)
      connection.stream.write(copyMessages(rows))
      connection.stream.uncork()
    },
    handleCopyInResponse: () => undefined,
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
    handleError: reject,
  })
  return promise
}

const dbOf = ({ client, name }: DatabaseSession): DedicatedDb => ({
  session: name,
  ...queriesBy(statement => runStatement(client, statement)),
  transaction: (work, isolation = 'read committed') =>
    transactionOn(client, work, beginAt(isolation), () => destroyConnection(client)),
  copy: (statement, rows) => copyOver(client, statement.text, rows),
})

class ReopenedConnection implements DedicatedConnection {
  readonly #pool: Pool
  readonly #timeoutMilliseconds: number
  #session: Promise<DatabaseSession> | undefined

  constructor(pool: Pool, timeoutMilliseconds: number) {
    this.#pool = pool
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  #forget(session: Promise<DatabaseSession>): void {
    if (this.#session === session) this.#session = undefined
  }

  #open(): Promise<DatabaseSession> {
    const opening = openDatabaseSession(this.#pool, this.#timeoutMilliseconds)
    const forget = () => this.#forget(opening)
    opening.then(({ client }) => client.once('end', forget), forget)
    return opening
  }

  run<T>(work: (db: DedicatedDb) => Promise<T>): Promise<T> {
    return withRetries(async () => {
      this.#session ??= this.#open()
      const opened = this.#session
      const session = await opened
      const timer = setTimeout(() => destroyConnection(session.client), this.#timeoutMilliseconds)
      try {
        return await work(dbOf(session))
      } catch (error) {
        // PostgreSQL then ends the session soon, and `isDatabaseSessionGone` can answer.
        if (isUnreachable(error)) {
          this.#forget(opened)
          destroyConnection(session.client)
        }
        throw error
      } finally {
        clearTimeout(timer)
      }
    })
  }

  async end(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    if (session)
      await Promise.race([session.client.end(), sleep(500).then(() => destroyConnection(session.client))])
  }
}

/** `timeoutMilliseconds`: for opening the session, and for each piece of work; then the connection is cut. */
export const openDedicatedConnection = (pool: Pool, timeoutMilliseconds = 30_000): DedicatedConnection =>
  new ReopenedConnection(pool, timeoutMilliseconds)
