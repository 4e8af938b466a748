import { findAccountByEmail } from '#features/workspace/accounts/index.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { deleteOldAttempts } from './queries.ts'
import { failedSignInJob } from './rules.ts'
import { deleteOldSessions } from './sessions/queries.ts'
import { auditRefusal } from './sessions/rules.ts'

export const accessJobs = (db: Db): readonly Job[] => [
  {
    name: failedSignInJob,
    async run(payload) {
      const { email, requestId } = payload as { readonly email: string; readonly requestId: string | null }
      const account = await findAccountByEmail(db, email)
      if (!account) return
      await auditRefusal(db, account.id, { requestId })
    },
  },
  {
    name: 'access.delete-expired',
    schedule: '23 * * * *',
    async run() {
      const now = new Date()
      for (const statement of [...deleteOldSessions(now), ...deleteOldAttempts(now)])
        await db.query(statement)
    },
  },
]
