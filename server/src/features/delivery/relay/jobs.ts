import { day } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { deleteOldMessages, workspacesWithOldMessages } from './queries.ts'

const keptMilliseconds = 7 * day

export const relayJobs = (db: Db): readonly Job[] => [
  {
    name: 'relay.expire',
    schedule: '41 * * * *',
    async run() {
      const before = new Date(Date.now() - keptMilliseconds)
      for (const workspaceId of await workspacesWithOldMessages(db, before))
        while ((await deleteOldMessages(db, workspaceId, before)) > 0);
    },
  },
]
