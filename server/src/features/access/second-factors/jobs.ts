import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { deleteOldChallenges } from './passkeys/queries.ts'

export const secondFactorJobs = (db: Db): readonly Job[] => [
  {
    name: 'second-factors.delete-expired',
    schedule: '*/10 * * * *',
    async run() {
      await db.query(deleteOldChallenges(new Date()))
    },
  },
]
