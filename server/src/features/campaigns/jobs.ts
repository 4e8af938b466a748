import type { Db } from '#kernel/db.ts'
import type { Job } from '#kernel/jobs.ts'
import { turnJob } from './lifecycle/schedule.ts'
import { takeTurns } from './lifecycle/transitions.ts'
import { turningNow } from './queries.ts'
import type { CampaignSettings } from './rules.ts'

export const campaignJobs = (db: Db, settings: CampaignSettings): readonly Job[] => [
  {
    name: turnJob,
    isUrgent: true,
    async run(payload) {
      await takeTurns(db, (payload as { readonly workspace_id: string }).workspace_id, settings)
    },
  },
  {
    // Nothing waits for a job that was lost, and no workspace for one that fails.
    name: 'campaigns.turn_all',
    isUrgent: true,
    schedule: '* * * * *',
    async run() {
      const failures: unknown[] = []
      for (const workspaceId of await turningNow(db, settings.now()))
        await takeTurns(db, workspaceId, settings).catch(error => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  },
]
