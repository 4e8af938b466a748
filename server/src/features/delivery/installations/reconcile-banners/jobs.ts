// Reconciles after a change of campaigns. `banner_reaches` holds reaches: the targeting of a campaign (signatures and
// conditions). The job looks up the addresses of a reach, compares them, and deletes the reach when all were compared. When
// the job fails or its worker is killed, the next job finds the reach there.
import { addressesInReach, type CampaignReach } from '#features/signatures/campaigns/index.ts'
import type { Db, Sql } from '#kernel/db/db.ts'
import { enqueueSerial, type Job } from '#kernel/db/jobs.ts'
import { bannerReaches, deleteBannerReaches, recordReachFailure, saveBannerReaches } from './queries.ts'

const jobName = 'installations.reconcile_banners'

/** Works on the stored reaches of this workspace, if there are any. */
export const enqueueBannersJob = (workspaceId: string): Sql =>
  enqueueSerial(jobName, { workspace_id: workspaceId }, `${jobName} ${workspaceId}`)

/** Runs in the transaction that changed the banners in these reaches. One job works on all stored reaches. */
export async function scheduleReconcileBanners(
  tx: Db,
  workspaceId: string,
  reaches: readonly CampaignReach[],
): Promise<void> {
  await saveBannerReaches(tx, workspaceId, reaches)
  await tx.query(enqueueBannersJob(workspaceId))
}

/** Number of addresses that are compared in one transaction. */
const batchSize = 1_000
/** Number of reaches that one job takes: each can be large. */
const maxReaches = 100

export const bannersJob = (
  db: Db,
  compare: (workspaceId: string, emailIds: readonly string[]) => Promise<void>,
): Job => ({
  name: jobName,
  async run(payload) {
    const { workspace_id: workspaceId } = payload as { readonly workspace_id: string }
    const stored = await bannerReaches(db, workspaceId, maxReaches)
    // All reaches were stored before the first comparison, so an address of several reaches is compared once.
    const compared = new Set<string>()
    const failures: unknown[] = []
    for (const { ids, reach } of stored)
      try {
        for await (const emailIds of addressesInReach(db, workspaceId, reach, batchSize)) {
          const rest = emailIds.filter(id => !compared.has(id))
          if (rest.length > 0) await compare(workspaceId, rest)
          for (const id of rest) compared.add(id)
        }
        await deleteBannerReaches(db, workspaceId, ids)
      } catch (error) {
        failures.push(error)
        await recordReachFailure(db, workspaceId, ids)
      }
    if (failures.length > 0) throw failures[0]
    if (stored.length === maxReaches) await db.query(enqueueBannersJob(workspaceId))
  },
})
