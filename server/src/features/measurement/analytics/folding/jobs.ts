import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueue, type Job } from '#kernel/db/jobs.ts'
import { dropOldEvents, foldTail, prepareMonths } from './rules.ts'

const foldJob = 'analytics.fold'

/** The event recorder runs this at most once a second, to keep the tail short. */
export const enqueueFold = (): Sql => enqueue(foldJob, {}, foldJob)

/** Short enough that a service that is shutting down can wait for the job. */
const maxRunMilliseconds = 2_000

export const analyticsJobs = (db: Db): readonly Job[] => [
  {
    name: foldJob,
    schedule: '* * * * *', // in case no process enqueued the job after recording
    async run() {
      const end = Date.now() + maxRunMilliseconds
      while (await foldTail(db)) {
        if (Date.now() < end) continue
        await db.query(enqueueFold())
        return
      }
    },
  },
  {
    name: 'analytics.upkeep',
    schedule: '41 2 * * *',
    async run() {
      const now = new Date()
      await prepareMonths(db, now)
      await dropOldEvents(db, now)
    },
  },
]
