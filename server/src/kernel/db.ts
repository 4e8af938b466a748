// Runs SQL in PostgreSQL. Statements are written as SQL and prepared once per connection; a function that runs them takes
// `db` or `tx` as a parameter. Only jobs.ts, migrate.ts, session.ts (COPY), platform/backup.ts and embedded-postgres/guard.ts
// also run statements with pg directly.
import { hash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Sql } from 'sql-template-tag'
import { ApiError, apiError } from './errors.ts'
import { isConstraintName, namesConstraint } from './shard-names.ts'

export type { Sql } from 'sql-template-tag'
export { empty, join, raw } from 'sql-template-tag'

export interface Db {
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /**
   * Inside a transaction this makes a savepoint. `work` can run more than once: it must do nothing but use its `tx`.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, isolation?: 'read committed' | 'repeatable read'): Promise<T>
}

export interface Pool extends Db {
  readonly pg: pg.Pool
  /** A query that ends within 40 s even if its connection is dead without notice: then the connection is closed. */
  probe<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /** Waits for running statements, for at most so many milliseconds. */
  end(timeoutMilliseconds?: number): Promise<void>
}

const composedParts = new WeakSet<Sql>()

/**
 * Marks a statement, or a part of statements, whose text depends on the request: for example one part for each
 * condition that the client sent. A statement with such a part is not prepared under a name, because PostgreSQL would
 * keep each of the many texts in every connection.
 */
export function composed(part: Sql): Sql {
  composedParts.add(part)
  return part
}

/** SQL with its parameters. It is `composed` when one of its parts is; `join` does not pass the mark on. */
export function sql(strings: readonly string[], ...values: readonly unknown[]): Sql {
  const statement = new Sql(strings, values)
  for (const value of values)
    if (value instanceof Sql && composedParts.has(value)) composedParts.add(statement)
  return statement
}

/** The start of the transaction, by the clock of the database: for times that other processes compare with it. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(sql`select now()`)
  return row?.now ?? new Date()
}

const isIntegrityViolation = ({ code = '' }: pg.DatabaseError): boolean => code.startsWith('23')

/** In a cluster, the error comes from a shard. */
export const isViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  (error.constraint === undefined
    ? isIntegrityViolation(error) && namesConstraint(error.message, constraint)
    : isConstraintName(error.constraint, constraint))

/** The row exists already (unique violation). */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'

/** Another transaction held a lock for longer than `lock_timeout`. */
export const isLocked = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03'

/** PostgreSQL took longer than `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '57014'
}

const statementNames = new Map<string, string>()
/** More than the code has. PostgreSQL keeps every named statement for as long as the connection lives. */
const maxStatementNames = 2_000

/**
 * The name under which a statement is prepared. It is made from the text alone, so that processes behind one connection
 * pooler agree on it. Undefined: the statement is parsed for this execution only.
 */
function statementName(statement: Sql, text: string): string | undefined {
  if (composedParts.has(statement)) return undefined
  const cached = statementNames.get(text)
  if (cached !== undefined || statementNames.size >= maxStatementNames) return cached
  const name = hash('sha1', text)
  statementNames.set(text, name)
  return name
}

/** pg would write a date in local time with its offset, which takes longer than the rest of a small query. */
const asParameter = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

/** Publishes the text of each statement before it runs. The tests check that a cluster could run it too. */
export const statementTexts = channel('signoff:statement')

export async function runStatement<Row>(
  client: pg.Pool | pg.ClientBase,
  statement: Sql,
  query_timeout?: number,
): Promise<Row[]> {
  const text = statement.text
  const name = statementName(statement, text)
  if (statementTexts.hasSubscribers) statementTexts.publish(text)
  const values = statement.values.map(asParameter)
  const result = await client.query({ name, text, values, query_timeout } as pg.QueryConfig)
  return result.rows as Row[]
}

const collisions = new Set(['40001', '40P01'])

/** Repeats work after a deadlock or a serialization failure: both roll back everything, so a retry is safe. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isCollision = error instanceof pg.DatabaseError && collisions.has(error.code ?? '')
      if (isCollision && attempt < 12) await sleep(Math.random() * 10 * attempt)
      else throw isCollision || isUnreachable(error) ? unavailable(error) : error
    }
  }
}

const unavailable = (cause: unknown): Error =>
  Object.assign(apiError('unavailable', { headers: { 'Retry-After': '1' } }), { cause })

// pg has no codes for these errors.
const poolFailures = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout expired',
  'Query read timeout',
  'Cannot use a pool after calling end',
]

/** PostgreSQL cannot be reached, or cannot execute statements now. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false
  const { code = '', message } = error as Error & { code?: string }
  // 08: connection, 25006: accepts no writes, 53: out of resources, 57: shutdown, start-up, cancelled by a timeout.
  if (error instanceof pg.DatabaseError) return /^(08|25006|53|57)/.test(code)
  return (
    /^(ECONN|EHOST|ENET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code) ||
    poolFailures.some(text => message.startsWith(text))
  )
}

function savepoint(client: pg.ClientBase, depth: number): Db {
  return {
    query: statement => runStatement(client, statement),
    async transaction(work) {
      const name = `nested_${depth}`
      await client.query(`savepoint ${name}`)
      try {
        const result = await work(savepoint(client, depth + 1))
        await client.query(`release savepoint ${name}`)
        return result
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`)
        throw error
      }
    },
  }
}

/**
 * Runs `work` in a transaction of this connection. `onBroken` is called when the connection cannot be used any more.
 */
export async function transactionOn<T>(
  client: pg.ClientBase,
  work: (tx: Db) => Promise<T>,
  isolation: string,
  onBroken: (failure: Error) => void,
): Promise<T> {
  try {
    await client.query(`begin isolation level ${isolation}`)
    const result = await work(savepoint(client, 1))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>, isolation: string): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    return await transactionOn(client, work, isolation, error => {
      failure = error
    })
  } finally {
    client.release(failure)
  }
}

/** Closes a connection without a goodbye. PostgreSQL rolls back what still runs on it. */
export const destroyConnection = (client: pg.ClientBase): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/** PostgreSQL ends a statement that runs longer. */
const statementMilliseconds = 30_000

export interface PoolOptions {
  readonly connection: pg.ClientConfig
  readonly size: number
  readonly onError: (error: Error) => void
}

export function openPool({ connection, size, onError }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connection,
    keepAlive: true,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMilliseconds,
  })
  let isEnding = false
  const onLost = (error: Error) => isEnding || onError(error)
  pool.on('error', onLost)
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', client => {
    client.on('error', onLost)
    clients.add(client)
  })
  pool.on('remove', client => clients.delete(client))
  return {
    pg: pool,
    query: statement => withRetries(() => runStatement(pool, statement)),
    probe: statement => withRetries(() => runStatement(pool, statement, statementMilliseconds + 5_000)),
    transaction: (work, isolation = 'read committed') =>
      withRetries(() => inTransaction(pool, work, isolation)),
    async end(timeoutMilliseconds = Number.POSITIVE_INFINITY) {
      isEnding = true
      const ended = pool.end()
      const cutOff = Number.isFinite(timeoutMilliseconds)
        ? sleep(timeoutMilliseconds).then(() => {
            for (const client of clients) destroyConnection(client)
          })
        : ended
      await Promise.race([ended, cutOff])
    },
  }
}
