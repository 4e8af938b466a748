// The share of PostgreSQL that the reading requests of one workspace can use: a part of the connections, and a time
// limit.
import { connect } from 'node:net'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import { roomFor } from './cache-room.ts'
import { type Db, destroyConnection, type Pool, runStatement, type Sql, withRetries } from './db.ts'
import { type ApiError, apiError } from './errors.ts'
import { KeyedQueue } from './keyed-queue.ts'

export interface WorkspaceSharesOptions {
  readonly pool: Pool
  /** Time limit for one statement. */
  readonly queryMilliseconds: number
}

/** The database for a request that reads. */
export type WorkspaceShares = (workspaceId: string) => Db

/** Slow requests of a workspace that run at the same time: see `Route.isSlow`. */
const slowAtOnce = 2

/** By workspace. */
export const createSlowRequests = (): KeyedQueue =>
  new KeyedQueue({ atOnce: slowAtOnce, waiting: 10, waitMilliseconds, message })

/** As long as the pool itself lets a request wait for a connection. */
const waitMilliseconds = 5_000
const message = 'This workspace has too many slow requests on their way; try again when they are answered.'

export function createWorkspaceShares({ pool, queryMilliseconds }: WorkspaceSharesOptions): WorkspaceShares {
  // Two thirds: however many slow searches a workspace runs, other workspaces find a connection.
  const atOnce = Math.max(1, Math.floor((pool.pg.options.max * 2) / 3))
  const queues = new LRUCache<string, BoundedQueue>(roomFor(10_000))
  const queueOf = (workspaceId: string): BoundedQueue => {
    const cached = queues.get(workspaceId)
    if (cached) return cached
    const queue = createBoundedQueue({ atOnce, waiting: 1_000, waitMilliseconds, message })
    queues.set(workspaceId, queue)
    return queue
  }
  return workspaceId => {
    const limited = queueOf(workspaceId)
    return {
      query: <Row>(statement: Sql) => limited(() => queryWithin<Row>(pool, statement, queryMilliseconds)),
      transaction: (work, isolation) => limited(() => pool.transaction(work, isolation)),
    }
  }
}

const tooSlow = (cause: unknown): ApiError =>
  Object.assign(
    apiError('unavailable', {
      message:
        'This takes PostgreSQL too long. Ask for less: a longer or no `search`, fewer filters, a shorter range of dates.',
      headers: { 'Retry-After': '30' },
    }),
    { cause },
  )

/**
 * Cancels the statement after so many milliseconds. (Setting `statement_timeout` would cost a round trip per
 * statement.)
 */
const queryWithin = <Row>(pool: Pool, statement: Sql, milliseconds: number): Promise<Row[]> =>
  withRetries(async () => {
    const client = await pool.pg.connect()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      cancel(pool.pg.options, client)
    }, milliseconds)
    try {
      return await runStatement<Row>(client, statement)
    } catch (error) {
      throw isLate ? tooSlow(error) : error
    } finally {
      clearTimeout(timer)
      // The cancel request can arrive late, and would then end another statement of the same connection.
      client.release(isLate)
    }
  })

/**
 * PostgreSQL has this time to cancel. Then the connection is cut, and the pool's own `statement_timeout` ends the
 * statement.
 */
const cancelMilliseconds = 2_000
const cancelCode = 80_877_102

/** PostgreSQL takes a cancel request on a separate connection: the length, the code, and the ids of the session. */
function cancel(options: pg.PoolConfig, client: pg.PoolClient): void {
  const { processID, secretKey } = client as unknown as Readonly<Record<'processID' | 'secretKey', number>>
  const message = Buffer.alloc(16)
  for (const [index, word] of [16, cancelCode, processID, secretKey].entries())
    message.writeInt32BE(word, 4 * index)
  const { host, port } = new pg.Client(options)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => undefined) // the connection is cut below
  socket.end(message)
  const timer = setTimeout(() => destroyConnection(client), cancelMilliseconds)
  client.once('end', () => clearTimeout(timer))
}
