// What the pages of campaigns read, and how a campaign can go on.
import type { MarketingCampaign, MarketingCampaignInput } from '@signoff/sdk'
import { api, readAgain } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { type ActionOptions, useAction } from '#ui/feedback/use-action.ts'

export type CampaignState = MarketingCampaign['status']
export const campaignStates: readonly CampaignState[] = ['draft', 'scheduled', 'active', 'paused', 'ended']

/** The page of a campaign; without an id, the list. */
export const campaignPath = (id?: string): string => (id === undefined ? '/campaigns' : `/campaigns/${id}`)

export const campaignsQuery = {
  queryKey: ['campaigns', 'all'] as const,
  queryFn: () => allRows(page => api.marketingCampaigns.list(page)),
}

export const refreshCampaigns = () => readAgain('campaigns')

export const useCampaignAction = <Input = void, Result = unknown>(options: ActionOptions<Input, Result>) =>
  useAction(refreshCampaigns, options)

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
  queryFn: () => allRows(page => api.signatures.list({ ...page, sort: 'name' })),
  staleTime: 60_000,
}
