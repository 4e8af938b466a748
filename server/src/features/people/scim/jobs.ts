import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { deleteForgottenUsers } from './users/queries.ts'

export const scimJobs = (db: Db): readonly Job[] => [
  {
    name: 'scim.expire',
    schedule: '53 4 * * *',
    async run() {
      await db.query(deleteForgottenUsers)
    },
  },
]
