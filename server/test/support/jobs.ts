// Runs background jobs: immediately, or with a worker in this process.
import { runOnce, type Task } from 'graphile-worker'
import { vi } from 'vitest'
import { startDispatcher } from '#features/workspace/webhooks/index.ts'
import { buildJobs, dispatcherDeps } from '#jobs.ts'
import { createLog } from '#kernel/base/log.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import { queueLogger, startWorker, type Worker } from '#kernel/db/jobs.ts'
import type { TestApp } from './app.ts'

/** Runs jobs until none is due. A failed job fails the test unless `mayFail` is set. */
export async function runAllJobs(
  app: Pick<TestApp, 'db' | 'parts'>,
  { mayFail = false } = {},
): Promise<void> {
  const jobs = buildJobs(app.parts, app.db)
  const started = new Set<string>()
  const run =
    (job: (typeof jobs)[number]): Task =>
    (payload, helpers) => {
      started.add(helpers.job.id)
      return job.run(payload)
    }
  await runOnce({
    pgPool: app.db.direct,
    logger: queueLogger(createLog('silent')),
    taskList: Object.fromEntries(jobs.map(job => [job.name, run(job)])),
  })
  // `runOnce` returns before the result of its last job is stored: until then that job is locked.
  const locked = sql`
    select 1 from graphile_worker.jobs where id = any(${[...started]}::bigint[]) and locked_at is not null`
  await vi.waitUntil(async () => (await app.db.query(locked)).length === 0, 120_000)
  const failing = sql`
    select task_identifier as name, last_error as why from graphile_worker.jobs where last_error is not null`
  const failed = await app.db.query(failing)
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
  return startWorker({ pool: app.db.direct, jobs, concurrency, log: createLog('silent') })
}

/** Starts to send to webhooks. The test stops it. */
export const startSending = (app: TestApp): Worker =>
  startDispatcher({
    ...dispatcherDeps(app.parts),
    db: app.db,
    log: createLog('silent'),
    count: () => undefined,
  })
