// One campaign with its version. A change is refused when another person has changed it since it was read: the page
// then shows their version, and a second attempt saves over it.
import type { MarketingCampaign, MarketingCampaignPatch } from '@signoff/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { api, queryClient } from '../../api/client.ts'
import { isStale } from '../../api/errors.ts'
import { refreshCampaigns } from './campaign-data.ts'

export type SaveCampaign = (patch: MarketingCampaignPatch) => Promise<MarketingCampaign>

export function useCampaign(id: string): {
  readonly campaign: MarketingCampaign
  readonly save: SaveCampaign
} {
  const queryKey = ['campaigns', 'one', id] as const
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => {
      const { body, headers } = await api.marketingCampaigns.get(id).raw()
      return { campaign: body.data, etag: headers.get('etag') ?? undefined }
    },
  })
  const save: SaveCampaign = async patch => {
    try {
      return await api.marketingCampaigns.update(id, patch, { ifMatch: data.etag })
    } catch (error) {
      if (isStale(error)) await queryClient.invalidateQueries({ queryKey })
      throw error
    } finally {
      void refreshCampaigns()
    }
  }
  return { campaign: data.campaign, save }
}
