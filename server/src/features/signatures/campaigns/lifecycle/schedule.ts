// Scheduled starts and ends: a job runs at the next start or end time of a campaign. A job that runs late or twice is
// harmless: it applies only the transitions that are due in the workspace at that moment.

import type { Db } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import { type CampaignTimes, nextTransitionAt } from './states.ts'

export const transitionJob = 'campaigns.turn'

/** Run this in the transaction that changes the status or the times of the campaign. */
export async function scheduleTransition(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  times: CampaignTimes,
): Promise<void> {
  const at = nextTransitionAt(times)
  if (at)
    await tx.query(
      enqueue(transitionJob, { workspace_id: workspaceId }, `${transitionJob} ${campaignId}`, at),
    )
}
