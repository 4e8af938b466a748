// Comparing after a change of campaigns. What is to be done is in `banner_reaches`, and a reach goes from there when all of
// its addresses have been compared: a job that fails, or whose worker is killed, leaves it to the next one.

import { addressesWithin, type CampaignReach } from '#features/campaigns/index.ts'
import type { Db, Sql } from '#kernel/db.ts'
import { enqueueSerial, type Job } from '#kernel/jobs.ts'
import { bannerReaches, deleteBannerReaches, recordReachFailure, saveBannerReaches } from './queries.ts'

const jobName = 'installations.reconcile_banners'

/** Compares what is kept for this workspace, if anything. */
export const reconcileBanners = (workspaceId: string): Sql =>
  enqueueSerial(jobName, { workspace_id: workspaceId }, `${jobName} ${workspaceId}`)

/** To be run in the transaction that changed which banners these see. What waits in the queue is worked in one go. */
export async function enqueueReconcileBanners(
  tx: Db,
  workspaceId: string,
  reaches: readonly CampaignReach[],
): Promise<void> {
  await saveBannerReaches(tx, workspaceId, reaches)
  await tx.query(reconcileBanners(workspaceId))
}

/** How many addresses are compared in one transaction. */
const batch = 1_000
/** How many reaches one job takes: each may be large. */
const mostReaches = 100

export const bannersJob = (
  db: Db,
  compare: (workspaceId: string, emailIds: readonly string[]) => Promise<void>,
): Job => ({
  name: jobName,
  async run(payload) {
    const { workspace_id: workspaceId } = payload as { readonly workspace_id: string }
    const kept = await bannerReaches(db, workspaceId, mostReaches)
    /** All reaches were kept before the first comparison: an address that several have is compared once. */
    const compared = new Set<string>()
    const failures: unknown[] = []
    for (const { ids, reach } of kept)
      try {
        for await (const emailIds of addressesWithin(db, workspaceId, reach, batch)) {
          const fresh = emailIds.filter(id => !compared.has(id))
          if (fresh.length > 0) await compare(workspaceId, fresh)
          for (const id of fresh) compared.add(id)
        }
        await deleteBannerReaches(db, workspaceId, ids)
      } catch (error) {
        failures.push(error)
        await recordReachFailure(db, workspaceId, ids)
      }
    if (failures.length > 0) throw failures[0]
    if (kept.length === mostReaches) await db.query(reconcileBanners(workspaceId))
  },
})
