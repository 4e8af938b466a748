// What the pages of campaigns read, and how a campaign can go on.
import type { MarketingCampaign, MarketingCampaignInput } from '@signoff/sdk'
import { api, queryClient } from '../../api/client.ts'

export type CampaignState = MarketingCampaign['status']
export const campaignStates: readonly CampaignState[] = ['draft', 'scheduled', 'active', 'paused', 'ended']

/** The page of a campaign; without an id, the list. */
export const campaignPath = (id?: string): string => (id === undefined ? '/campaigns' : `/campaigns/${id}`)

/** More than a workspace plans in years; the list and the timeline show all of them at once. */
const maxCampaigns = 500

export const campaignsQuery = {
  queryKey: ['campaigns', 'all'] as const,
  queryFn: async (): Promise<readonly MarketingCampaign[]> => {
    const campaigns: MarketingCampaign[] = []
    for await (const campaign of api.marketingCampaigns.list({ limit: 100 })) {
      campaigns.push(campaign)
      if (campaigns.length === maxCampaigns) break
    }
    return campaigns
  },
}

export const refreshCampaigns = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['campaigns'] })

/** A new draft with the same banners and the same audience. It has no times: those of the first are over or taken. */
export const copyOf = (campaign: MarketingCampaign, name: string): MarketingCampaignInput => ({
  name,
  time_zone: campaign.time_zone,
  send_email: campaign.send_email,
  smart_fields_conditions: campaign.smart_fields_conditions,
  signature_template_ids: campaign.signature_template_ids,
  ...(campaign.variants.length > 0
    ? { variants: campaign.variants.map(({ id: _, ...variant }) => variant) }
    : { content: campaign.content }),
})

export const signatureNamesQuery = {
  queryKey: ['signatures', 'names'] as const,
  queryFn: async () => {
    const names: { readonly id: string; readonly name: string }[] = []
    for await (const { id, name } of api.signatures.list({ limit: 100, sort: 'name' })) {
      names.push({ id, name })
      if (names.length === maxCampaigns) break
    }
    return names
  },
  staleTime: 60_000,
}
