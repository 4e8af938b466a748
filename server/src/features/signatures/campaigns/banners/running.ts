// Which campaigns run for an address, without compiling their banners: clients that render by themselves ask for it.

import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { liveCampaigns } from '../queries.ts'
import { assignVariant } from './assign-variant.ts'
import { type BannerViewer, compileTargeting } from './choose.ts'

export interface RunningBanner {
  readonly campaign_id: string
  /** Null when the campaign has no variants, or none that is shown. */
  readonly variant_id: string | null
}

/** The campaign that started last is first: marketing blocks that name no campaign show it. */
export async function runningBanners(
  db: Db,
  workspaceId: string,
  viewer: BannerViewer,
): Promise<readonly RunningBanner[]> {
  const slice = new TimeSlice()
  const running: RunningBanner[] = []
  for (const campaign of await liveCampaigns(db, workspaceId, null)) {
    if (!(await compileTargeting(campaign)(viewer, slice))) continue
    const { id, variants } = campaign
    const variant = viewer.emailId === null ? variants[0] : assignVariant(id, viewer.emailId, variants)
    running.push({ campaign_id: id, variant_id: variant?.id ?? null })
  }
  return running
}
