// The share of PostgreSQL that the reading requests of one workspace can use: a part of the connections, and a time
// limit.
import { LRUCache } from 'lru-cache'
import { roomFor } from '#kernel/base/caches.ts'
import { type ApiError, apiError } from '#kernel/base/errors.ts'
import { type BoundedQueue, createBoundedQueue, KeyedQueue } from '#kernel/base/queues.ts'
import { type Db, type Pool, runWithin, type Sql, withRetries } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'

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
      ...queriesBy(<Row>(statement: Sql) =>
        limited(() => withRetries(() => runWithin<Row>(pool.pg, statement, queryMilliseconds, tooSlow))),
      ),
      transaction: (work, isolation) => limited(() => pool.transaction(work, isolation)),
      isDistributed: pool.isDistributed ?? false,
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
