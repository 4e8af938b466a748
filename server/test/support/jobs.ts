// Background work, done now.
import { runOnce } from 'graphile-worker'
import { queueLogger } from '../../src/kernel/jobs.ts'
import { createLog } from '../../src/kernel/log.ts'
import { buildJobs } from '../../src/worker.ts'
import type { TestApp } from './app.ts'

/** Until nothing is due. */
export async function workAll(app: TestApp): Promise<void> {
  const jobs = buildJobs(app.config, app.db, app.now)
  await runOnce({
    pgPool: app.db.pg,
    logger: queueLogger(createLog('silent')),
    taskList: Object.fromEntries(jobs.map(job => [job.name, (payload: unknown) => job.run(payload)])),
  })
}

/** What the clock would start. */
export async function runScheduled(app: TestApp, name: string): Promise<void> {
  const job = buildJobs(app.config, app.db, app.now).find(one => one.name === name)
  if (!job?.schedule) throw new Error(`there is no schedule for ${name}`)
  await job.run({})
}
