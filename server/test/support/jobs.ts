// Runs background jobs immediately.
import { runOnce } from 'graphile-worker'
import { sql } from '#kernel/db.ts'
import { queueLogger } from '#kernel/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { buildJobs } from '#worker.ts'
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
