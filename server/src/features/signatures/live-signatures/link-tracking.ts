// Fills live signatures with tracked addresses: those of their links and of their pixel.
import type { Content, RenderedCampaign, RenderHooks } from '@signoff/render'
import type { LinkSet, Tracker, Tracking } from '#features/measurement/tracking/index.ts'
import type { BannerChoice, Banners, ChosenBanner } from '#features/signatures/campaigns/index.ts'
import type { Db } from '#kernel/db/db.ts'

/** Tracking of a workspace that counts views and clicks. */
export interface TrackedWorkspaceLinks {
  readonly tracker: Tracker
  /** The links of a banner. Loaded once per banner. */
  readonly linksOf: (banner: ChosenBanner) => Promise<LinkSet>
}

/** Null when the workspace does not track. */
export async function openTracking(
  db: Db,
  workspaceId: string,
  tracking: Tracking | null,
): Promise<TrackedWorkspaceLinks | null> {
  const tracker = await tracking?.trackerOf(db, workspaceId)
  if (!tracker) return null
  const linksByBanner = new Map<ChosenBanner, Promise<LinkSet>>()
  return {
    tracker,
    linksOf(banner) {
      const holder = { kind: 'campaign', campaignId: banner.id, campaignVariant: banner.variantId } as const
      const links = linksByBanner.get(banner) ?? tracker.linkSetOf(db, holder, banner.content)
      linksByBanner.set(banner, links)
      return links
    },
  }
}

/** Tracking of content that is not published. It stores nothing; only the length of its links is right. */
interface SampleTracking extends TrackedWorkspaceLinks {
  readonly linksIn: (content: Content) => LinkSet
}

/** The numbers of link sets end far below; sample sets count down from here. */
const lastNumber = 0xffff_ffff

/** Null when the workspace does not track. */
export async function openSampleTracking(
  db: Db,
  workspaceId: string,
  tracking: Tracking | null,
): Promise<SampleTracking | null> {
  const tracker = await tracking?.trackerOf(db, workspaceId)
  if (!tracker) return null
  let number = lastNumber
  const linksIn = (content: Content): LinkSet => tracker.sampleLinkSetOf(content, number--)
  return { tracker, linksIn, linksOf: async banner => linksIn(banner.content) }
}

/** The fill for one address. The template asks for some of these banners while it renders. */
export async function trackedFill(
  tracked: TrackedWorkspaceLinks | null,
  links: LinkSet | undefined,
  emailNumber: number,
  { banners, fill: campaign }: BannerChoice,
): Promise<RenderHooks> {
  if (!tracked || !links) return { campaign }
  const linksByBanner = new Map<RenderedCampaign, LinkSet>()
  for (const banner of banners) linksByBanner.set(banner, await tracked.linksOf(banner))
  const renderedLinks = new Map<string, LinkSet | undefined>()
  return {
    ...tracked.tracker.fillFor(emailNumber, links, id => renderedLinks.get(id)),
    campaign(named) {
      const banner = campaign(named)
      if (banner) renderedLinks.set(banner.id, linksByBanner.get(banner))
      return banner
    },
  }
}

/** Covers the link sets and the token key. No address has the number 0, so the pixel for it depends on the key alone. */
export async function trackingInputsKey(
  tracked: TrackedWorkspaceLinks | null,
  links: LinkSet | undefined,
  banners: Banners,
): Promise<unknown> {
  if (!tracked || !links) return null
  const numbers: number[] = []
  for (const banner of await banners.all()) numbers.push((await tracked.linksOf(banner)).number)
  return [links.number, numbers, tracked.tracker.fillFor(0, links).pixel([])]
}
