import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { deleteExpired } from './sign-in/queries.ts'

export const ssoJobs = (db: Db): readonly Job[] => [
  {
    name: 'sso.delete-expired',
    schedule: '53 * * * *',
    async run() {
      for (const statement of deleteExpired(new Date())) await db.query(statement)
    },
  },
]
