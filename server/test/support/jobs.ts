// Runs background jobs: immediately, or with a worker in this process.
import { runOnce } from 'graphile-worker'
import { buildJobs } from '#jobs.ts'
import { type Db, sql } from '#kernel/db.ts'
import { queueLogger, startWorker, type Worker } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import type { TestApp } from './app.ts'

/** Runs jobs until none is due. A failed job fails the test unless `mayFail` is set. */
export async function runAllJobs(app: TestApp, { mayFail = false } = {}): Promise<void> {
  const jobs = buildJobs(app.parts, app.db)
  await runOnce({
    pgPool: app.db.pg,
    logger: queueLogger(createLog('silent')),
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
  })
  const failed = await app.db.query<{ name: string; why: string }>(
    sql`select task_identifier as name, last_error as why from graphile_worker.jobs where last_error is not null`,
  )
  if (failed.length > 0 && !mayFail) throw new Error(JSON.stringify(failed))
}

/** Runs a scheduled job now. */
export async function runScheduled(app: TestApp, name: string): Promise<void> {
  const job = buildJobs(app.parts, app.db).find(job => job.name === name)
  if (!job?.schedule) throw new Error(`there is no schedule for ${name}`)
  await job.run({})
}

/** Runs one job now, with the workspace of the test in its payload. */
export async function runJob(app: TestApp, name: string, payload: object, db: Db = app.db): Promise<void> {
  const job = buildJobs(app.parts, db).find(job => job.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  await job.run({ workspace_id: app.id, ...payload })
}

/** Starts a worker with all jobs. The test stops it. */
export function startJobs(app: TestApp, { concurrency = 4 } = {}): Worker {
  const jobs = buildJobs(app.parts, app.db)
  return startWorker({ pool: app.db.pg, jobs, concurrency, log: createLog('silent') })
}
