// Background work lives in the same PostgreSQL and is queued by the transaction that causes it (graphile-worker).
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { type Sql, sql } from './db.ts'
import { locks } from './locks.ts'
import type { Log } from './log.ts'

export interface Job {
  readonly name: string
  /** Runs at least once: it must bear being repeated. A throw means "again later", with growing pauses. */
  readonly run: (payload: unknown) => Promise<void>
  /** A cron pattern in UTC; each moment is worked once, whatever the number of processes. */
  readonly schedule?: string
  /** It has a place of its own: no other work, however much there is, keeps it waiting. */
  readonly isUrgent?: boolean
}

/**
 * To be run in the transaction that causes the work. `key` folds repeated work into one job, the last one asked for.
 * graphile-worker takes the key from a job that is running and never retries that job, also when it fails or its worker
 * is killed: one key always means the same work, so that the last job does what the earlier ones did not.
 */
export const enqueue = (
  name: string,
  payload: object,
  key: string | null = null,
  at: Date | null = null,
): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${at}) is not null as queued`

/** The same at a time of the future; one that is waiting under this key and comes sooner stays as it is. */
export const enqueueNoLaterThan = (name: string, payload: object, key: string, at: Date): Sql => sql`
  select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${at})
    is not null as queued
  where not exists (
    select from graphile_worker.jobs where key = ${key} and locked_at is null and run_at <= ${at})`

/** The same, and the jobs of one key run one after the other. */
export const enqueueSerial = (name: string, payload: object, key: string): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, queue_name => ${key}) is not null as queued`

export function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning' && !message.startsWith('Your job batch size')) log.warn(message)
    else log.debug(message)
  })
}

export interface WorkerOptions {
  readonly pool: pg.Pool
  readonly jobs: readonly Job[]
  readonly concurrency: number
  readonly log: Log
}

export interface Worker {
  /** Jobs that are not done after `patience` milliseconds are handed back, to be tried again. */
  stop(patience: number): Promise<void>
}

/**
 * Each worker holds a lock of its own while it lives. Jobs of one that was killed would otherwise wait for four hours:
 * whoever can take its lock knows that it is gone. (One that lost its connection is taken for dead as well; jobs bear
 * being repeated.)
 */
const rescue = `
  select graphile_worker.force_unlock_workers(array_agg(locked_by))
  from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) busy
  where pg_try_advisory_xact_lock(hashtextextended(locked_by, ${locks.worker}))`

/** Held on a connection of its own. One that is lost is opened again, every second until it works. */
class LifeLocks {
  readonly #pool: pg.Pool
  readonly #ids: readonly string[]
  #client: pg.PoolClient | undefined
  #retry: NodeJS.Timeout | undefined
  #isReleased = false

  constructor(pool: pg.Pool, ids: readonly string[]) {
    this.#pool = pool
    this.#ids = ids
  }

  async hold(): Promise<void> {
    const client = await this.#pool.connect()
    const lost = () => {
      if (this.#client !== client) return
      this.#client = undefined
      client.release(true)
      this.#holdLater()
    }
    this.#client = client
    client.once('error', lost)
    try {
      for (const id of this.#ids)
        await client.query(`select pg_advisory_lock_shared(hashtextextended($1, ${locks.worker}))`, [id])
    } catch (error) {
      if (this.#client === client) {
        this.#client = undefined
        client.release(true)
      }
      throw error
    }
    if (this.#isReleased) this.release()
  }

  #holdLater(): void {
    if (this.#isReleased) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.hold().catch(() => this.#holdLater()), 1_000).unref()
  }

  release(): void {
    this.#isReleased = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    client?.release(true)
  }
}

const rescueJob = (pool: pg.Pool): Job => ({
  name: 'jobs.rescue',
  schedule: '* * * * *',
  async run() {
    await pool.query(rescue)
  },
})

/**
 * Works jobs until it is stopped. When PostgreSQL goes away, graphile-worker ends, since it cannot know what became of its
 * jobs; then it is started again.
 */
export function startWorker(options: WorkerOptions): Worker {
  const stopping = new AbortController()
  let current: RunningWorker | undefined
  const supervise = async () => {
    while (!stopping.signal.aborted) {
      try {
        const started = await runWorker(options)
        if (stopping.signal.aborted) return await started.stop(0)
        current = started
        await started.ended
        if (stopping.signal.aborted) return
        options.log.warn('the worker ended; it is started again')
        await started.stop(0)
      } catch (error) {
        options.log.warn({ err: error }, 'the worker cannot be started; trying again')
      }
      current = undefined
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const supervised = supervise()
  return {
    async stop(patience) {
      stopping.abort()
      // One that is still starting stops by itself.
      await (current ? current.stop(patience) : Promise.race([supervised, sleep(patience)]))
    },
  }
}

interface RunningWorker extends Worker {
  /** Resolves when a part of it has ended, for whatever reason. */
  readonly ended: Promise<unknown>
}

async function runWorker({ pool, jobs: given, concurrency, log }: WorkerOptions): Promise<RunningWorker> {
  const jobs = [...given, rescueJob(pool)]
  await pool.query(rescue)
  const isUrgent = (job: Job): boolean => job.isUrgent ?? false
  const teams: Team[] = []
  // One that has ended by itself rejects being stopped.
  const stopTeams = () => Promise.allSettled(teams.map(team => team.runner.stop()))
  try {
    const usual = jobs.filter(job => !isUrgent(job))
    teams.push(await startTeam(pool, usual, { concurrency, pollInterval: 4_000 }, log))
    teams.push(await startTeam(pool, jobs.filter(isUrgent), { concurrency: 1, pollInterval: 3_000 }, log))
    const ids = teams.map(team => team.id)
    const locks = new LifeLocks(pool, ids)
    await locks.hold()
    return {
      ended: Promise.race(teams.map(team => team.runner.promise.catch(() => undefined))),
      async stop(patience) {
        await Promise.race([stopTeams(), sleep(patience)])
        // Of a worker that was stopped in time there are none; of others, another worker takes them up at once.
        const handBack = pool.query('select graphile_worker.force_unlock_workers($1)', [ids])
        await handBack.catch(error => log.debug({ err: error }, 'jobs are handed back by the next rescue'))
        locks.release()
      },
    }
  } catch (error) {
    await stopTeams()
    throw error
  }
}

interface Team {
  readonly id: string
  readonly runner: Runner
}

async function startTeam(
  pool: pg.Pool,
  jobs: readonly Job[],
  { concurrency, pollInterval }: { readonly concurrency: number; readonly pollInterval: number },
  log: Log,
): Promise<Team> {
  const scheduled = jobs.filter(job => job.schedule !== undefined)
  let id = ''
  const events = new EventEmitter() as WorkerEvents
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  const runner = await run({
    events,
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval,
    // One look at the queue for all places, not one each. What is taken and finds no free place is soon given back.
    // Completions in batches, though of one: else graphile-worker does not wait for them, and one that fails would be an
    // unhandled rejection, which ends the process.
    preset: {
      worker: { localQueue: { size: 1, ttl: 1_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
    logger: queueLogger(log),
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
    parsedCronItems: parseCronItems(
      scheduled.map(({ name, schedule }) => ({ task: name, match: schedule ?? '', identifier: name })),
    ),
  })
  return { id, runner }
}

export const queueDepth = sql`
  select count(*) filter (where last_error is null)::int as waiting, count(*) filter (where last_error is not null)::int as failing
  from graphile_worker.jobs`
