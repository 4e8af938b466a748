// Background jobs (graphile-worker): the queue is in the same PostgreSQL, and the transaction that causes a job
// enqueues it.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Log } from '#kernel/base/log.ts'
import { type Sql, sql } from './db.ts'
import { locks } from './locks.ts'

export interface Job {
  readonly name: string
  /** Runs at least once, so it must be idempotent. When it throws, it is retried with growing pauses. */
  readonly run: (payload: unknown) => Promise<void>
  /** A cron pattern in UTC. Each moment causes one job, whatever the number of processes. */
  readonly schedule?: string
  /** Urgent jobs have a worker of their own: other jobs, however many, never delay them. */
  readonly isUrgent?: boolean
}

/**
 * To be run in the transaction that causes the job. Jobs with the same `key` become one job, with the last payload.
 * When a job is enqueued under the key of a running job, graphile-worker takes the key from the running one and never
 * retries it, even if it fails or its worker is killed. So one key must always mean the same work: the last job then
 * does what the earlier ones did not.
 */
export const enqueue = (
  name: string,
  payload: object,
  key: string | null = null,
  at: Date | null = null,
): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${at}) is not null as queued`

/** Enqueues for a time in the future. A waiting job of this key that is due earlier stays as it is. */
export const enqueueNoLaterThan = (name: string, payload: object, key: string, at: Date): Sql => sql`
  select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${at})
    is not null as queued
  where not exists (
    select from graphile_worker.jobs where key = ${key} and locked_at is null and run_at <= ${at})`

/** Before all waiting jobs, however many there are, in the workers that they share. */
export const enqueueAhead = (name: string, payload: object): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, priority => -1) is not null as queued`

/** Like `enqueue`, but the jobs of one key run one after the other. */
export const enqueueSerial = (name: string, payload: object, key: string): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, queue_name => ${key}) is not null as queued`

/** After all other waiting jobs; of all jobs of this name, one runs at a time. For work that must not delay other work. */
export const enqueueInBackground = (name: string, payload: object, key: string): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}, queue_name => ${name}, priority => 1) is not null as queued`

export const queueLogger = (log: Log): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning' && !message.startsWith('Your job batch size')) log.warn(message)
    else log.debug(message)
  })

export interface WorkerOptions {
  readonly pool: pg.Pool
  readonly jobs: readonly Job[]
  readonly concurrency: number
  readonly log: Log
}

export interface Worker {
  /** Jobs that are not done after `timeoutMilliseconds` are unlocked, so that another worker retries them. */
  stop(timeoutMilliseconds: number): Promise<void>
}

/**
 * Unlocks the jobs of dead workers, which would otherwise wait for four hours. Each worker holds an advisory lock while
 * it lives: a worker whose lock can be taken is dead. (A worker that lost its connection counts as dead too, and ends;
 * jobs are idempotent.) A worker that is starting has jobs before it has its lock, so the statement waits for it.
 */
const rescue = `
  select pg_advisory_xact_lock(${locks.startingWorker});
  select graphile_worker.force_unlock_workers(array_agg(locked_by))
  from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) busy
  where pg_try_advisory_xact_lock(hashtextextended(locked_by, ${locks.worker}))`

/** A job that lost its key to a newer one while it ran, and then its worker. It is never tried again, and counts as waiting. */
const removeReplaced = `
  select graphile_worker.complete_jobs(array_agg(id))
  from graphile_worker.jobs
  where locked_at is null and key is null and attempts >= max_attempts and last_error is null
  having count(*) > 0`

export async function rescueJobs(pool: pg.Pool): Promise<void> {
  await pool.query(rescue)
  await pool.query(removeReplaced)
}

interface WorkerLocks {
  /** Resolves when the connection that holds the locks is lost. */
  readonly lost: Promise<void>
  release(): void
}

/** Starts runners, and holds the locks of their ids from then on. No rescue sees them without their locks. */
async function withWorkerLocks(pool: pg.Pool, start: () => Promise<readonly string[]>): Promise<WorkerLocks> {
  const client = await pool.connect()
  let isReleased = false
  const release = () => {
    if (!isReleased) client.release(true)
    isReleased = true
  }
  const lost = new Promise<void>(resolve => {
    client.on('error', () => {
      release()
      resolve()
    })
  })
  try {
    await client.query(`select pg_advisory_lock_shared(${locks.startingWorker})`)
    for (const id of await start())
      await client.query(`select pg_advisory_lock_shared(hashtextextended($1, ${locks.worker}))`, [id])
    await client.query(`select pg_advisory_unlock_shared(${locks.startingWorker})`)
    return { lost, release }
  } catch (error) {
    release()
    throw error
  }
}

const rescueJob = (pool: pg.Pool): Job => ({
  name: 'jobs.rescue',
  schedule: '* * * * *',
  run: () => rescueJobs(pool),
})

/** Time until another worker gets the jobs of a worker that ended. */
const unfinishedMilliseconds = 5_000

/**
 * Runs jobs until it is stopped. When PostgreSQL goes away, the worker ends and a new one with new ids is started,
 * because graphile-worker cannot know the state of its jobs: a job that PostgreSQL gave it with an answer that was lost
 * would stay locked by a worker that lives.
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
        options.log.warn('the worker ended; starting it again')
        await started.stop(unfinishedMilliseconds)
      } catch (error) {
        options.log.warn({ err: error }, 'the worker cannot be started; trying again')
      }
      current = undefined
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const supervised = supervise()
  return {
    async stop(timeoutMilliseconds) {
      stopping.abort()
      // A worker that is still starting stops by itself.
      await (current
        ? current.stop(timeoutMilliseconds)
        : Promise.race([supervised, sleep(timeoutMilliseconds)]))
    },
  }
}

interface RunningWorker extends Worker {
  /** Resolves when one of its runners has ended, for any reason, or its locks are lost. */
  readonly ended: Promise<unknown>
}

async function runWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { pool, concurrency, log } = options
  const jobs = [...options.jobs, rescueJob(pool)]
  await rescueJobs(pool)
  const isUrgent = (job: Job): boolean => job.isUrgent ?? false
  const started: StartedRunner[] = []
  // Stopping a runner that has ended by itself rejects.
  const stopRunners = () => Promise.allSettled(started.map(({ runner }) => runner.stop()))
  try {
    const usual = jobs.filter(job => !isUrgent(job))
    const held = await withWorkerLocks(pool, async () => {
      started.push(await startRunner(pool, usual, { concurrency, pollInterval: 4_000 }, log))
      started.push(
        await startRunner(pool, jobs.filter(isUrgent), { concurrency: 1, pollInterval: 3_000 }, log),
      )
      return started.map(({ id }) => id)
    })
    const ids = started.map(({ id }) => id)
    return {
      ended: Promise.race([held.lost, ...started.map(runner => runner.ended)]),
      async stop(timeoutMilliseconds) {
        await Promise.race([stopRunners(), sleep(timeoutMilliseconds)])
        // A worker that stopped in time has no locked jobs. Those of the others can be claimed by another worker at
        // once.
        const unlock = pool.query('select graphile_worker.force_unlock_workers($1)', [ids])
        await unlock.catch(error => log.debug({ err: error }, 'jobs stay locked until the next rescue'))
        held.release()
      },
    }
  } catch (error) {
    await stopRunners()
    throw error
  }
}

interface StartedRunner {
  /** The id under which graphile-worker locks jobs. */
  readonly id: string
  readonly runner: Runner
  /** Resolves when the runner stops taking jobs, for any reason. */
  readonly ended: Promise<unknown>
}

async function startRunner(
  pool: pg.Pool,
  jobs: readonly Job[],
  { concurrency, pollInterval }: { readonly concurrency: number; readonly pollInterval: number },
  log: Log,
): Promise<StartedRunner> {
  const scheduled = jobs.filter(job => job.schedule !== undefined)
  let id = ''
  const events = new EventEmitter() as WorkerEvents
  // The promise of the runner does not settle when its shutdown fails: graphile-worker cannot always return the jobs that
  // it fetched ahead. So the beginning of the shutdown counts.
  const shutdown = new Promise(resolve => {
    events.once('pool:gracefulShutdown', resolve)
    events.once('pool:forcefulShutdown', resolve)
  })
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  const runner = await run({
    events,
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval,
    // `localQueue`: one query to the queue for all concurrent jobs, not one for each. A claimed job without a free slot
    // is soon returned. The batch delays make graphile-worker wait for completions: without them, a completion that
    // fails would be an unhandled rejection, which ends the process.
    preset: {
      worker: { localQueue: { size: 1, ttl: 1_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
    },
    logger: queueLogger(log),
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
    parsedCronItems: parseCronItems(
      scheduled.map(({ name, schedule }) => ({ task: name, match: schedule ?? '', identifier: name })),
    ),
  })
  return { id, runner, ended: Promise.race([shutdown, runner.promise.catch(() => undefined)]) }
}

export const queueDepth = sql`
  select count(*) filter (where last_error is null)::int as waiting, count(*) filter (where last_error is not null)::int as failing
  from graphile_worker.jobs`
