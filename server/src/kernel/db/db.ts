// Runs SQL in PostgreSQL. Statements are written as SQL and prepared once per connection; a function that runs them takes
// `db` or `tx` as a parameter. Only jobs.ts, migrate.ts, database-session.ts (COPY), platform/backup.ts,
// platform/pooler/ and embedded-postgres/guard.ts also run statements with pg directly.
import { hash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Sql } from 'sql-template-tag'
import { minute } from '#kernel/base/durations.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import { cancelStatement, destroyConnection } from './cancelling.ts'
import { type Queries, queriesBy } from './query-forms.ts'

export type { Sql } from 'sql-template-tag'
export { empty, join, raw } from 'sql-template-tag'

export interface Db extends Queries {
  /**
   * Inside a transaction this makes a savepoint. `work` can run more than once: it must do nothing but use its `tx`.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, isolation?: 'read committed' | 'repeatable read'): Promise<T>
  /** The tables are on several nodes, so that a statement has no common snapshot. Unknown inside a transaction. */
  readonly isDistributed?: boolean
}

export interface Pool extends Db {
  readonly pg: pg.Pool
  /**
   * Connections that keep their session between transactions, for what belongs to a session: LISTEN, locks that outlive
   * a transaction, settings. The same as `pg`, unless `pg` goes through a connection pooler.
   */
  readonly direct: pg.Pool
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
  return (await db.value<Date>(sql`select now()`)) ?? new Date()
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

/** Undefined: the statement is not prepared under a name any more. */
const statementNames = new Map<string, string | undefined>()
/** More than the code has. PostgreSQL keeps every named statement for as long as the connection lives. */
const maxStatementNames = 2_000

/**
 * The name under which a statement is prepared. It is made from the text alone, so that processes behind one connection
 * pooler agree on it. Undefined: the statement is parsed for this execution only.
 */
function statementName(statement: Sql, text: string): string | undefined {
  if (composedParts.has(statement)) return undefined
  if (statementNames.has(text) || statementNames.size >= maxStatementNames) return statementNames.get(text)
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
  try {
    const result = await client.query({ name, text, values, query_timeout } as pg.QueryConfig)
    return result.rows as Row[]
  } catch (error) {
    if (isStalePlan(error)) statementNames.set(text, undefined)
    throw error
  }
}

/**
 * Runs a statement alone, and cancels it after so many milliseconds. (Setting `statement_timeout` would cost a round trip
 * per statement.) `lateError` makes the error of a statement that took longer.
 */
export async function runWithin<Row>(
  pool: pg.Pool,
  statement: Sql,
  milliseconds: number,
  lateError: (cause: unknown) => unknown = cause => cause,
): Promise<Row[]> {
  const client = await pool.connect()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    cancelStatement(pool.options, client)
  }, milliseconds)
  let failure: unknown
  try {
    return await runStatement<Row>(client, statement)
  } catch (error) {
    failure = error
    throw isLate ? lateError(error) : error
  } finally {
    clearTimeout(timer)
    // The cancel request can arrive late, and would then end another statement of the same connection.
    client.release(isLate || isUnreachable(failure))
  }
}

/**
 * A migration changed the columns of a prepared statement (`select *`). A pooler keeps prepared statements longer than
 * any process lives, so also a new process can meet an old one.
 */
const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan')

const collisions = new Set(['40001', '40P01'])

/**
 * Repeats work after a deadlock, a serialization failure or a stale plan: each rolls back everything, so a retry is safe.
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isCollision =
        (error instanceof pg.DatabaseError && collisions.has(error.code ?? '')) || isStalePlan(error)
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
    ...queriesBy(statement => runStatement(client, statement)),
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

/** The beginning of a transaction. */
interface Begin {
  readonly text: string
  /** The connection is cut when this takes longer. */
  readonly milliseconds?: number
}

export const beginAt = (isolation: string): Begin => ({ text: `begin isolation level ${isolation}` })

async function begin(client: pg.ClientBase, { text, milliseconds }: Begin): Promise<void> {
  const timer = milliseconds && setTimeout(() => destroyConnection(client), milliseconds)
  await client.query(text).finally(() => clearTimeout(timer))
}

/**
 * Runs `work` in a transaction of this connection. `onBroken` is called when the connection cannot be used any more.
 */
export async function transactionOn<T>(
  client: pg.ClientBase,
  work: (tx: Db) => Promise<T>,
  how: Begin,
  onBroken: (failure: Error) => void,
): Promise<T> {
  try {
    await begin(client, how)
    const result = await work(savepoint(client, 1))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>, how: Begin): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    return await transactionOn(client, work, how, error => {
      failure = error
    })
  } finally {
    client.release(failure)
  }
}

/** PostgreSQL ends a statement that runs longer. */
const statementMilliseconds = 30_000
/** A request waits so long for a connection, of the pool or of the pooler. */
const connectMilliseconds = 5_000

/** Connections of `direct` beside a pooler: two workers listen, one holds locks, and the queue takes the others. */
const directSize = 6

export interface PoolOptions {
  readonly connection: pg.ClientConfig
  /** Set when `connection` goes through a connection pooler: how to reach PostgreSQL itself. */
  readonly direct?: pg.ClientConfig
  readonly size: number
  readonly onError: (error: Error) => void
}

export function openPool({ connection, direct, size, onError }: PoolOptions): Pool {
  let isEnding = false
  const clients = new Set<pg.PoolClient>()
  const open = (config: pg.PoolConfig): pg.Pool => {
    const opened = new pg.Pool({
      keepAlive: true,
      connectionTimeoutMillis: connectMilliseconds,
      idleTimeoutMillis: minute,
      ...config,
    })
    const onLost = (error: Error) => isEnding || onError(error)
    opened.on('error', onLost)
    opened.on('connect', client => {
      client.on('error', onLost)
      clients.add(client)
    })
    opened.on('remove', client => clients.delete(client))
    return opened
  }
  const limited = { statement_timeout: statementMilliseconds }
  const pool = open({ ...connection, max: size, ...(direct ? {} : limited) })
  const directPool = direct ? open({ ...direct, ...limited, max: directSize }) : pool
  return {
    pg: pool,
    direct: directPool,
    ...(direct ? pooledQueries(pool) : directQueries(pool)),
    async end(timeoutMilliseconds = Number.POSITIVE_INFINITY) {
      isEnding = true
      const ended = Promise.all([...new Set([pool, directPool])].map(each => each.end()))
      const cutOff = Number.isFinite(timeoutMilliseconds)
        ? sleep(timeoutMilliseconds).then(() => {
            for (const client of clients) destroyConnection(client)
          })
        : ended
      await Promise.race([ended, cutOff])
    },
  }
}

type PoolQueries = Omit<Pool, 'pg' | 'direct' | 'end' | 'isDistributed'>

const directQueries = (pool: pg.Pool): PoolQueries => ({
  ...queriesBy(statement => withRetries(() => runStatement(pool, statement))),
  probe: statement => withRetries(() => runStatement(pool, statement, statementMilliseconds + 5_000)),
  transaction: (work, isolation = 'read committed') =>
    withRetries(() => inTransaction(pool, work, beginAt(isolation))),
})

/**
 * Behind a pooler a connection has no settings of its own, and PgBouncer refuses `statement_timeout` in the start-up of a
 * connection. So each transaction sets it, in the round trip of its `begin`, and a statement alone is cancelled.
 */
function pooledQueries(pool: pg.Pool): PoolQueries {
  const query: Queries['query'] = statement =>
    withRetries(() => runWithin(pool, statement, statementMilliseconds))
  const limit = `set local statement_timeout = ${statementMilliseconds}`
  return {
    ...queriesBy(query),
    probe: query,
    transaction: (work, isolation = 'read committed') =>
      withRetries(() =>
        inTransaction(pool, work, {
          text: `${beginAt(isolation).text}; ${limit}`,
          milliseconds: connectMilliseconds,
        }),
      ),
  }
}

/** PostgreSQL cuts longer names. */
const maxNameBytes = 63

/**
 * True if a constraint of an error is the constraint `name`, of a whole table or of one of its shards. In a Citus
 * cluster a shard is a table of PostgreSQL, and its constraints have the number of the shard behind their names:
 * `name_102008`. Where that would be too long, Citus writes the beginning of the name, a hash and the number.
 */
function isConstraintName(constraint: string, name: string): boolean {
  const ofTable = constraint.replace(/_\d{6,}$/, '')
  if (ofTable === name) return true
  const beginning = ofTable.replace(/_[0-9a-f]{8}$/, '')
  return constraint.length === maxNameBytes && beginning !== ofTable && name.startsWith(beginning)
}

/**
 * True if the text of an error names the constraint. An error of a shard names it nowhere else. The text can be in any
 * language, so that only the name itself can be looked for.
 */
const namesConstraint = (message: string, name: string): boolean =>
  (message.match(/\w+/g) ?? []).some(word => isConstraintName(word, name))
