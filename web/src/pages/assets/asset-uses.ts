// Where an image is used: signatures, campaigns and the brand name it by its id. Variants of signatures are not in the list
// of the API: their uses count as `in_use`, and the dialog says “elsewhere”.
import { useQuery } from '@tanstack/react-query'
import { allRows } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'

export interface AssetUse {
  readonly id: string
  readonly kind: 'signature' | 'campaign' | 'logo'
  readonly name: string
  readonly to: string
}

async function findUses(assetId: string): Promise<readonly AssetUse[]> {
  const holds = (content: unknown) => JSON.stringify(content ?? null).includes(assetId)
  const [signatures, campaigns, brand] = await Promise.all([
    allRows(page => api.signatures.list({ ...page, include_content: true })),
    allRows(page => api.marketingCampaigns.list(page)),
    api.brand.get(),
  ])
  return [
    ...(brand.logo_asset_id === assetId
      ? [{ id: 'logo', kind: 'logo' as const, name: '', to: '/settings/brand' }]
      : []),
    ...signatures
      .filter(each => holds([each.content, each.draft_content]))
      .map(({ id, name }) => ({ id, kind: 'signature' as const, name, to: `/signatures/${id}` })),
    ...campaigns
      .filter(each => holds([each.content, each.variants]))
      .map(({ id, name }) => ({ id, kind: 'campaign' as const, name, to: `/campaigns/${id}` })),
  ]
}

export const useAssetUses = (assetId: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['assets', assetId, 'uses'],
    queryFn: () => findUses(assetId),
    enabled: isWanted,
  })
