// Starts and ends: a job waits for the next moment at which time changes a campaign. Whoever comes late, or twice, finds
// what is due in the workspace then, and nothing else.

import type { Db } from '#kernel/db.ts'
import { enqueue } from '#kernel/jobs.ts'
import { type CampaignTimes, nextTransitionAt } from './states.ts'

export const transitionJob = 'campaigns.turn'

/** To be run in the transaction that moved the campaign or its times. */
export async function enqueueTransition(
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
