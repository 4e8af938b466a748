import type { Db } from '#kernel/db/db.ts'
import type { Job } from '#kernel/db/jobs.ts'
import { transitionJob } from './lifecycle/schedule.ts'
import { applyDueTransitions } from './lifecycle/transitions.ts'
import { workspacesWithDueCampaigns } from './queries.ts'
import type { CampaignDeps } from './rules.ts'

export const campaignJobs = (db: Db, deps: CampaignDeps): readonly Job[] => [
  {
    name: transitionJob,
    isUrgent: true,
    async run(payload) {
      await applyDueTransitions(db, (payload as { readonly workspace_id: string }).workspace_id, deps)
    },
  },
  {
    // Runs every minute in case a transition job was lost. A workspace that fails does not stop the others.
    name: 'campaigns.turn_all',
    isUrgent: true,
    schedule: '* * * * *',
    async run() {
      const failures: unknown[] = []
      for (const workspaceId of await workspacesWithDueCampaigns(db, deps.now()))
        await applyDueTransitions(db, workspaceId, deps).catch(error => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  },
]
