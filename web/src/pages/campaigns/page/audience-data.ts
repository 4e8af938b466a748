import type { MarketingCampaign } from '@signoff/sdk'
import { api } from '#api/client.ts'

/** Number of addresses that the stored campaign reaches, and what people would not see of it. */
export const audienceCountQuery = ({ id, updated_at }: MarketingCampaign) => ({
  queryKey: ['campaigns', 'audience', id, 'count', updated_at] as const,
  queryFn: async () => {
    const { body } = await api.marketingCampaigns.audience(id, { limit: 1 }).raw()
    return { total: body.pagination.total_count, variants: body.variants, warnings: body.warnings }
  },
})
