import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { countSeats } from './queries.ts'

export const seatJobs = (db: Db): readonly Job[] => [
  {
    name: 'billing.count_seats',
    schedule: '0 * * * *',
    async run() {
      await db.query(countSeats(new Date()))
    },
  },
]
