// Live signatures that count: the addresses of their links and of their pixel.
import type { Campaign, Fill } from '@signoff/render'
import type { Db } from '../../kernel/db.ts'
import type { Banners } from '../campaigns/index.ts'
import type { Source, Tracker, Tracking } from '../tracking/index.ts'

/** Where the workspace counts views and clicks. */
export interface Tracked {
  readonly tracker: Tracker
  readonly banners: ReadonlyMap<Campaign, Source>
}

/** Null: nothing counts. */
export async function track(
  db: Db,
  workspaceId: string,
  tracking: Tracking | null,
  { all }: Banners,
): Promise<Tracked | null> {
  const tracker = await tracking?.trackerOf(db, workspaceId)
  if (!tracker) return null
  const banners = new Map<Campaign, Source>()
  for (const banner of all) {
    const holder = { kind: 'campaign', campaignId: banner.id, campaignVariant: banner.variantId } as const
    banners.set(banner, await tracker.source(db, holder, banner.content))
  }
  return { tracker, banners }
}

/** For one person, for whom one of several banners of a campaign is drawn. */
export function counting(
  tracked: Tracked | null,
  source: Source | undefined,
  emailNumber: number,
  campaign: NonNullable<Fill['campaign']>,
): Fill {
  if (!tracked || !source) return { campaign }
  const drawn = new Map<string, Source | undefined>()
  return {
    ...tracked.tracker.fillFor(emailNumber, source, id => drawn.get(id)),
    campaign(named) {
      const banner = campaign(named)
      if (banner) drawn.set(banner.id, tracked.banners.get(banner))
      return banner
    },
  }
}

/** Of what is counted, and with which key: whoever has the number 0 has no address. */
export const identityOfCounting = (tracked: Tracked | null, source: Source | undefined): unknown =>
  tracked &&
  source && [
    source.number,
    [...tracked.banners.values()].map(banner => banner.number),
    tracked.tracker.fillFor(0, source).pixel([]),
  ]
