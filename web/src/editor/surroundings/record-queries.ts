// The records that content names, read one by one: content names few of them.
import { api } from '#api/client.ts'

const staleTime = 60_000

export const assetQuery = (id: string) => ({
  queryKey: ['assets', id],
  queryFn: async () => await api.assets.get(id),
  staleTime,
})

export const campaignQuery = (id: string) => ({
  queryKey: ['campaigns', id, 'banner'],
  queryFn: async () => await api.marketingCampaigns.get(id),
  staleTime,
})
