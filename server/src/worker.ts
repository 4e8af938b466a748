// Background work as one list: which jobs there are, and when.
import type { Config } from './config.ts'
import { forgetRotatedSecrets } from './features/api-keys/index.ts'
import { assetJobs } from './features/assets/index.ts'
import { feedbackJob } from './features/feedback/index.ts'
import { testMailJob } from './features/signatures/index.ts'
import type { Db } from './kernel/db.ts'
import type { Job } from './kernel/jobs.ts'
import { forgetOldKeys } from './kernel/preconditions.ts'
import { foldTallies } from './kernel/tallies.ts'
import { createMailer } from './mail.ts'
import { createStore } from './storage/index.ts'

export function buildJobs(config: Config, db: Db): readonly Job[] {
  const send = createMailer(config)
  return [
    feedbackJob(db, config.operatorEmail, send),
    testMailJob(send),
    ...assetJobs(db, createStore(config)),
    foldTallies(db),
    {
      name: 'housekeeping',
      schedule: '17 3 * * *',
      async run() {
        const now = new Date()
        await db.query(forgetOldKeys(now))
        await db.query(forgetRotatedSecrets(now))
      },
    },
  ]
}
