// Campaigns for the demo, in different states: one is live and compares two banners, one has ended, one is scheduled, one
// is a draft.
import type { Content } from '@signoff/render'
import { findAssetByName } from '#features/content/assets/index.ts'
import {
  applyDueTransitions,
  createCampaign,
  hasCampaignNamed,
  performAction,
} from '#features/signatures/campaigns/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { day } from '#kernel/base/durations.ts'
import type { Db } from '#kernel/db/db.ts'
import type { Parts } from '#parts.ts'
import { bannerPictures, type DemoPicture } from './pictures.ts'

const daysAgo = (days: number): Date => new Date(Date.now() - days * day)

/** Days before today: the live campaign runs since then, and the one that has ended ran between them. */
export const liveSince = 45
export const endedSpan = { from: 95, to: 60 } as const

/** A banner that is a picture with a link. */
async function bannerOf(
  db: Db,
  workspaceId: string,
  { name }: DemoPicture,
  alt: string,
  path: string,
): Promise<Content | null> {
  const asset = await findAssetByName(db, workspaceId, name)
  if (!asset) return null
  const href = { text: `https://www.northbean.example/${path}` }
  return {
    id: 'banner-root',
    type: 'stack',
    children: [
      {
        id: 'banner',
        type: 'image',
        displayName: 'Campaign banner',
        assetUuid: asset.id,
        alt,
        width: 480,
        height: 120,
        href,
      },
    ],
  }
}

/** Idempotent: existing campaigns stay as they are. Returns the number of demo campaigns. */
export async function fillCampaigns(db: Db, by: Caller, parts: Parts): Promise<number> {
  const { harvest, tasting, fair, letter } = bannerPictures
  const banner = (picture: DemoPicture, alt: string, path: string) =>
    bannerOf(db, by.workspaceId, picture, alt, path)
  const campaigns = [
    {
      name: 'The new harvest',
      variants: [
        {
          name: 'Harvest',
          content: await banner(harvest, 'The harvest is in: order samples', 'harvest'),
          weight: 1,
        },
        {
          name: 'Tasting box',
          content: await banner(tasting, 'Fresh from the farm: order samples', 'harvest'),
          weight: 1,
        },
      ],
      start_time: daysAgo(liveSince).toISOString(),
      scheduledAt: daysAgo(liveSince),
    },
    {
      name: 'Cold brew summer',
      content: await banner(tasting, 'Cold brew for the office: order a tasting box', 'cold-brew'),
      time_zone: 'Europe/Berlin',
      start_time: daysAgo(endedSpan.from).toISOString(),
      end_time: daysAgo(endedSpan.to).toISOString(),
      scheduledAt: daysAgo(endedSpan.from),
    },
    {
      name: 'Winter coffee fair',
      content: await banner(fair, 'Meet us in Hamburg, at the winter coffee fair', 'fair'),
      time_zone: 'Europe/Berlin',
      start_time: new Date(Date.now() + 30 * day).toISOString(),
      end_time: new Date(Date.now() + 40 * day).toISOString(),
      scheduledAt: new Date(),
    },
    {
      name: 'Spring newsletter',
      content: await banner(letter, 'Stories from origin: our newsletter', 'news'),
    },
  ]
  for (const { scheduledAt, ...campaign } of campaigns) {
    if (await hasCampaignNamed(db, by.workspaceId, campaign.name)) continue
    const { id } = await createCampaign(db, by, campaign)
    const clock = { ...parts.campaigns, now: () => scheduledAt ?? new Date() }
    if (scheduledAt) await performAction(db, by, id, 'schedule', clock)
  }
  await applyDueTransitions(db, by.workspaceId, parts.campaigns)
  return campaigns.length
}
