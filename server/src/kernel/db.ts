// The one way to PostgreSQL: SQL as SQL, every statement prepared once per connection, `db` or `tx` always a parameter.
import { hash, randomFillSync, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { V7Generator } from 'uuidv7'
import { ApiError, apiError } from './errors.ts'

export type { Sql } from 'sql-template-tag'
export { default as sql, empty, join, raw } from 'sql-template-tag'

export interface Db {
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /** Inside a transaction this makes a savepoint. Work may run again: it must do nothing but use its `tx`. */
  transaction<T>(work: (tx: Db) => Promise<T>, isolation?: 'read committed' | 'repeatable read'): Promise<T>
}

export interface Pool extends Db {
  readonly pg: pg.Pool
  /** A query that ends within 40 s also when its connection is dead without notice: then the connection is closed. */
  probe<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>
  /** Waits for what is still running, for at most so many milliseconds. */
  end(patience?: number): Promise<void>
}

// A few thousand bytes at a time: asking for each id's alone takes longer than all the rest of making it.
const random = new Uint32Array(1_024)
let drawn = random.length
const ids = new V7Generator({
  nextUint32() {
    if (drawn === random.length) {
      randomFillSync(random)
      drawn = 0
    }
    return random[drawn++] ?? 0
  },
})

/** A new row's id and its created_at, which is the moment inside the id: lists order by the id alone. */
export function newRow(): { readonly id: string; readonly now: Date } {
  const id = ids.generate().toString()
  return { id, now: new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) }
}

/** Timestamps as the API shows them, made by PostgreSQL so that whole lists can be built there. */
export const iso = (column: Sql): Sql =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** PostgreSQL and JavaScript agree on what it is, and four digits tell the year. */
export const isStorableDate = (time: Date): boolean => {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

/** The form in which addresses, labels and values are compared: trimmed and without case. */
export const comparisonKey = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** For longer ones LIKE may compare the whole text at every place of a value, which takes up to 10 times as long. */
const longestForLike = 16

/** Whether a comparable value contains this text. Both ways of asking can use an index of trigrams. */
export function contains(value: Sql, text: string): Sql {
  const wanted = comparisonKey(text)
  // The three stars tell a regular expression that all the rest is meant as it is.
  if (wanted.length > longestForLike) return sql`${value} ~ ${`***=${wanted}`}`
  return sql`${value} like ${`%${wanted.replace(/[\\%_]/g, '\\$&')}%`}`
}

export const isViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.constraint === constraint

/** It is there already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505'

/** Somebody held a lock for longer than `lock_timeout`. */
export const isLocked = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03'

/** PostgreSQL took longer than `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '57014'
}

const statementNames = new Map<string, string>()
/** More than the code has. PostgreSQL keeps every named statement for as long as the connection lives. */
const mostStatementNames = 2_000

const composedStatements = new WeakSet<Sql>()

/**
 * Marks a statement whose text depends on what a client sent, such as one part for each of its conditions. It is not
 * prepared under a name: PostgreSQL would keep each of the many texts, in every connection.
 */
export function composed(statement: Sql): Sql {
  composedStatements.add(statement)
  return statement
}

/** From the text alone, so that processes behind one connection pooler agree on it. Undefined: prepared for once. */
function statementName(statement: Sql, text: string): string | undefined {
  if (composedStatements.has(statement)) return undefined
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= mostStatementNames) return known
  const name = hash('sha1', text)
  statementNames.set(text, name)
  return name
}

/** pg would write a date in local time with its offset, which takes it longer than all the rest of a small query. */
const asParameter = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value)

export async function run<Row>(
  client: pg.Pool | pg.ClientBase,
  statement: Sql,
  query_timeout?: number,
): Promise<Row[]> {
  const text = statement.text
  const name = statementName(statement, text)
  const values = statement.values.map(asParameter)
  const result = await client.query({ name, text, values, query_timeout } as pg.QueryConfig)
  return result.rows as Row[]
}

const collisions = new Set(['40001', '40P01'])

/** Deadlocks and serialisation failures leave nothing behind, so the work may simply be done again. */
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

// pg has no codes for these.
const poolFailures = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout expired',
  'Query read timeout',
  'Cannot use a pool after calling end',
]

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false
  const { code = '', message } = error as Error & { code?: string }
  // 08: connection, 25006: takes no writes, 53: out of resources, 57: shutdown, start-up, cancelled by timeout.
  if (error instanceof pg.DatabaseError) return /^(08|25006|53|57)/.test(code)
  return (
    /^(ECONN|EHOST|ENET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code) ||
    poolFailures.some(text => message.startsWith(text))
  )
}

function savepoint(client: pg.ClientBase, depth: number): Db {
  return {
    query: statement => run(client, statement),
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

/** `broken` is told when the connection cannot be used any more. */
async function onClient<T>(
  client: pg.ClientBase,
  work: (tx: Db) => Promise<T>,
  isolation: string,
  broken: (failure: Error) => void,
): Promise<T> {
  try {
    await client.query(`begin isolation level ${isolation}`)
    const result = await work(savepoint(client, 1))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(broken)
    throw error
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>, isolation: string): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    return await onClient(client, work, isolation, error => {
      failure = error
    })
  } finally {
    client.release(failure)
  }
}

/** Whatever still runs is rolled back by PostgreSQL when its connection goes. */
export const cut = (client: pg.ClientBase): void =>
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
  let ending = false
  const lost = (error: Error) => ending || onError(error)
  pool.on('error', lost)
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', client => {
    client.on('error', lost)
    clients.add(client)
  })
  pool.on('remove', client => clients.delete(client))
  return {
    pg: pool,
    query: statement => withRetries(() => run(pool, statement)),
    probe: statement => withRetries(() => run(pool, statement, statementMilliseconds + 5_000)),
    transaction: (work, isolation = 'read committed') =>
      withRetries(() => inTransaction(pool, work, isolation)),
    async end(patience = Number.POSITIVE_INFINITY) {
      ending = true
      const done = pool.end()
      const impatient = Number.isFinite(patience)
        ? sleep(patience).then(() => {
            for (const client of clients) cut(client)
          })
        : done
      await Promise.race([done, impatient])
    },
  }
}

export interface DedicatedDb extends Db {
  /** `copy … from stdin`, with its rows as text. */
  copy(statement: Sql, rows: string): Promise<void>
  /** The name of the session: see `isOver`. */
  readonly session: string
}

/** A connection of its own, for one piece of work at a time; one that was lost is opened anew. */
export interface DedicatedConnection {
  /** Work may run again after a collision, and then finds nothing of the first time, if all is in one transaction. */
  run<T>(work: (db: DedicatedDb) => Promise<T>): Promise<T>
  end(): Promise<void>
}

const sessionLock = (name: string): Sql => sql`hashtextextended(${name}, 7364021)`

/**
 * In a transaction: whether the session of this name is gone, and with it everything that it had not committed. A lost
 * connection does not tell: PostgreSQL may still be at work on what it was sent.
 */
export async function isSessionGone(tx: Db, session: string): Promise<boolean> {
  const [row] = await tx.query<{ over: boolean }>(
    sql`select pg_try_advisory_xact_lock(${sessionLock(session)}) as over`,
  )
  return row?.over ?? false
}

interface Session {
  readonly client: pg.Client
  readonly name: string
}

/** Within so many milliseconds. PostgreSQL looks after the other end too: a session that nobody holds ends in a minute, not in hours. */
async function openSession(pool: Pool, patience: number): Promise<Session> {
  const client = new pg.Client(pool.pg.options)
  client.on('error', () => undefined) // told to whoever runs or comes next
  const timer = setTimeout(() => cut(client), patience)
  const name = randomUUID()
  try {
    await client.connect()
    await run(
      client,
      sql`
        select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
          set_config('tcp_keepalives_count', '3', false), pg_advisory_lock_shared(${sessionLock(name)})`,
    )
    return { client, name }
  } catch (error) {
    cut(client)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** CopyData with its length, and CopyDone. */
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
 * The rows go out right behind the statement, in one write: PostgreSQL ignores them when it refuses the statement, so
 * nobody has to wait for its consent.
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

export function openDedicatedConnection(pool: Pool, patience = 30_000): DedicatedConnection {
  let opened: Promise<Session> | undefined
  const forget = (session: Promise<Session>) => {
    if (opened === session) opened = undefined
  }
  const open = (): Promise<Session> => {
    const opening = openSession(pool, patience)
    const gone = () => forget(opening)
    opening.then(({ client }) => client.once('end', gone), gone)
    return opening
  }
  return {
    run: work =>
      withRetries(async () => {
        opened ??= open()
        const current = opened
        const { client, name } = await current
        const timer = setTimeout(() => cut(client), patience)
        const db: DedicatedDb = {
          session: name,
          query: statement => run(client, statement),
          transaction: (inner, isolation = 'read committed') =>
            onClient(client, inner, isolation, () => cut(client)),
          copy: (statement, rows) => copyOver(client, statement.text, rows),
        }
        try {
          return await work(db)
        } catch (error) {
          // So that whoever asks whether this session is over gets an answer soon.
          if (isUnreachable(error)) {
            forget(current)
            cut(client)
          }
          throw error
        } finally {
          clearTimeout(timer)
        }
      }),
    async end() {
      const session = await opened?.catch(() => undefined)
      if (session) await Promise.race([session.client.end(), sleep(500).then(() => cut(session.client))])
    },
  }
}
