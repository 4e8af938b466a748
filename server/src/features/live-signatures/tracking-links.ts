// Live signatures that count: the addresses of their links and of their pixel.
import type { Fill, RenderedCampaign } from '@signoff/render'
import type { BannerChoice, Banners, ChosenBanner } from '#features/campaigns/index.ts'
import type { LinkSet, Tracker, Tracking } from '#features/tracking/index.ts'
import type { Db } from '#kernel/db.ts'

/** Where the workspace counts views and clicks. */
export interface TrackedWorkspaceLinks {
  readonly tracker: Tracker
  /** The links of a banner. Asked for once for each. */
  readonly sourceOf: (banner: ChosenBanner) => Promise<LinkSet>
}

/** Null: nothing counts. */
export async function openTracking(
  db: Db,
  workspaceId: string,
  tracking: Tracking | null,
): Promise<TrackedWorkspaceLinks | null> {
  const tracker = await tracking?.trackerOf(db, workspaceId)
  if (!tracker) return null
  const sources = new Map<ChosenBanner, Promise<LinkSet>>()
  return {
    tracker,
    sourceOf(banner) {
      const holder = { kind: 'campaign', campaignId: banner.id, campaignVariant: banner.variantId } as const
      const source = sources.get(banner) ?? tracker.linkSetOf(db, holder, banner.content)
      sources.set(banner, source)
      return source
    },
  }
}

/** For one person, for whom some of these banners are drawn. */
export async function trackedFill(
  tracked: TrackedWorkspaceLinks | null,
  source: LinkSet | undefined,
  emailNumber: number,
  { banners, fill: campaign }: BannerChoice,
): Promise<Fill> {
  if (!tracked || !source) return { campaign }
  const sources = new Map<RenderedCampaign, LinkSet>()
  for (const banner of banners) sources.set(banner, await tracked.sourceOf(banner))
  const drawn = new Map<string, LinkSet | undefined>()
  return {
    ...tracked.tracker.fillFor(emailNumber, source, id => drawn.get(id)),
    campaign(named) {
      const banner = campaign(named)
      if (banner) drawn.set(banner.id, sources.get(banner))
      return banner
    },
  }
}

/** Of what is counted, and with which key: the number 0 is no address. */
export async function trackingInputsKey(
  tracked: TrackedWorkspaceLinks | null,
  source: LinkSet | undefined,
  banners: Banners,
): Promise<unknown> {
  if (!tracked || !source) return null
  const numbers: number[] = []
  for (const banner of await banners.all()) numbers.push((await tracked.sourceOf(banner)).number)
  return [source.number, numbers, tracked.tracker.fillFor(0, source).pixel([])]
}
