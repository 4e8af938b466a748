import type { Db, Sql } from '#kernel/db.ts'
import { enqueue, type Job } from '#kernel/jobs.ts'
import { dropOldEvents, foldTail, prepareMonths } from './rules.ts'

const foldJob = 'analytics.fold'

/** To be run now and then by whoever records events, at most once a second: it keeps the tail short. */
export const enqueueFold = (): Sql => enqueue(foldJob, {}, foldJob)

/** Short enough for a service that is about to stop. */
const maxRunMilliseconds = 2_000

export const analyticsJobs = (db: Db): readonly Job[] => [
  {
    name: foldJob,
    schedule: '* * * * *', // for what nobody announced
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
