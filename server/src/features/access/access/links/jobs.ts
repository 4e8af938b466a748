import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import type { AccessDeps } from '../deps.ts'
import { mailWindowMilliseconds } from './mail-limits.ts'
import { passwordResetJob } from './password-resets.ts'
import { deleteOldMailCounts } from './queries.ts'
import { signInLinkJob } from './sign-in-links.ts'

export const linkJobs = (db: Db, deps: AccessDeps): readonly Job[] => [
  signInLinkJob(db, deps),
  passwordResetJob(db, deps),
  {
    name: 'access.delete-mail-counts',
    schedule: '41 * * * *',
    async run() {
      await db.query(deleteOldMailCounts(new Date(Date.now() - mailWindowMilliseconds)))
    },
  },
]
