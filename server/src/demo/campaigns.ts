// Campaigns for the demo, in different states: one is live and compares two banners, one is scheduled, one is a draft.
import type { Content } from '@signoff/render'
import { findAssetByName } from '#features/assets/index.ts'
import { createCampaign, hasCampaignNamed, performAction } from '#features/campaigns/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import type { Parts } from '#parts.ts'

const day = 24 * 3_600_000
const textStyle = { fontFamily: 'Arial', fontSize: 13, lineHeight: 18 } as const

const imageBanner = (assetUuid: string, address: string): Content => ({
  id: 'banner-root',
  type: 'stack',
  children: [
    {
      id: 'banner-picture',
      type: 'image',
      assetUuid,
      alt: 'The new harvest is here: order samples until the end of November',
      width: 480,
      height: 120,
      href: { text: address },
    },
  ],
})

const textBanner = (value: string, address: string): Content => ({
  id: 'line-root',
  type: 'stack',
  children: [
    {
      id: 'line',
      type: 'text',
      tokens: [{ id: 'line-words', type: 'textToken', value, href: { text: address }, textStyle }],
    },
  ],
})

/** Idempotent: existing campaigns stay as they are. Returns the number of demo campaigns. */
export async function fillCampaigns(db: Db, by: Caller, parts: Parts): Promise<number> {
  const asset = await findAssetByName(db, by.workspaceId, 'Harvest 2026 banner')
  const harvest = 'https://www.northbean.example/harvest'
  const invitation = textBanner(
    'Meet us at the winter coffee fair in Hamburg',
    'https://www.northbean.example/fair',
  )
  const campaigns = [
    {
      name: 'The new harvest',
      variants: [
        { name: 'Picture', content: asset ? imageBanner(asset.id, harvest) : null, weight: 1 },
        {
          name: 'One line',
          content: textBanner('The new harvest is here: order your samples', harvest),
          weight: 1,
        },
      ],
      isScheduled: true,
    },
    {
      name: 'Winter coffee fair',
      content: invitation,
      time_zone: 'Europe/Berlin',
      start_time: new Date(Date.now() + 30 * day).toISOString(),
      end_time: new Date(Date.now() + 40 * day).toISOString(),
      isScheduled: true,
    },
    {
      name: 'Spring newsletter',
      content: textBanner('Read our newsletter', 'https://www.northbean.example/news'),
    },
  ]
  for (const { isScheduled = false, ...campaign } of campaigns) {
    if (await hasCampaignNamed(db, by.workspaceId, campaign.name)) continue
    const { id } = await createCampaign(db, by, campaign)
    if (isScheduled) await performAction(db, by, id, 'schedule', parts.campaigns)
  }
  return campaigns.length
}
