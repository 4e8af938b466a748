// `signoff work`: jobs and webhooks without the API, whose code is not loaded here.
import { readConfig } from '#config.ts'
import { startDispatcher } from '#features/workspace/webhooks/index.ts'
import { buildJobs, dispatcherDeps } from '#jobs.ts'
import { createLog, flushLog, type Log } from '#kernel/base/log.ts'
import type { Pool } from '#kernel/db/db.ts'
import { startWorker, type Worker } from '#kernel/db/jobs.ts'
import { buildParts, type Parts } from '#parts.ts'
import { CommandError } from '../context.ts'
import { openUnlessStopped, stopTimeouts, watchForStop } from './stopping.ts'

/** Works jobs, and sends to webhooks. `count` is for the metrics. */
export function workJobs(
  parts: Parts,
  db: Pool,
  log: Log,
  count: (outcome: string) => void = () => undefined,
): Worker {
  const jobs = buildJobs(parts, db)
  const concurrency = Math.max(1, parts.config.jobConcurrency)
  const workers = [
    startWorker({ pool: db.direct, jobs, concurrency, log }),
    startDispatcher({ ...dispatcherDeps(parts), db, log, count }),
  ]
  return {
    async stop(timeoutMilliseconds) {
      await Promise.all(workers.map(worker => worker.stop(timeoutMilliseconds)))
    },
  }
}

export async function work(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const { stopped, interrupted, onLost } = watchForStop()
  const user = `signoff work (process ${process.pid})`
  const database = await openUnlessStopped({ config, log, user, interrupted, onLost })
  if (!database) return
  const { db, close } = database
  try {
    const worker = workJobs(buildParts(config), db, log)
    log.info('working')

    const { why, isLost } = await stopped
    log.info({ reason: why }, 'stopping')
    await worker.stop(stopTimeouts.jobs)
    if (isLost) throw new CommandError(`Stopped: ${why}.`)
  } finally {
    await close(stopTimeouts.statements)
    await flushLog(log)
  }
}
