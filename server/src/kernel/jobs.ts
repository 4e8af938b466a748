// Background work lives in the same PostgreSQL and is queued by the transaction that causes it (graphile-worker).
import { Logger, parseCronItems, run } from 'graphile-worker'
import type pg from 'pg'
import { type Sql, sql } from './db.ts'
import type { Log } from './log.ts'

export interface Job {
  readonly name: string
  /** Runs at least once: it must bear being repeated. A throw means "again later", with growing pauses. */
  readonly run: (payload: unknown) => Promise<void>
  /** A cron pattern in UTC; each moment is worked once, whatever the number of processes. */
  readonly schedule?: string
}

/** To be run in the transaction that causes the work. `key` folds repeated work into one job. */
export const enqueue = (name: string, payload: object, key: string | null = null): Sql =>
  sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, job_key => ${key}) is not null as queued`

export function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}

export interface WorkerOptions {
  readonly pool: pg.Pool
  readonly jobs: readonly Job[]
  readonly concurrency: number
  readonly log: Log
}

export async function startWorker({
  pool,
  jobs,
  concurrency,
  log,
}: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const scheduled = jobs.filter(job => job.schedule !== undefined)
  const runner = await run({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: 3_000,
    pollInterval: 2_000,
    logger: queueLogger(log),
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
    parsedCronItems: parseCronItems(
      scheduled.map(({ name, schedule }) => ({ task: name, match: schedule ?? '', identifier: name })),
    ),
  })
  return { stop: () => runner.stop() }
}

export const queueDepth = sql`
  select count(*) filter (where last_error is null)::int as waiting, count(*) filter (where last_error is not null)::int as failing
  from graphile_worker.jobs`
