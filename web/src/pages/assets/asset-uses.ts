// Where an image is used: signatures with their variants, campaigns and the brand name it by its id. Photos of people and
// earlier versions of signatures count as `in_use` too; the dialog says “elsewhere”.
import type { Asset } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '#api/client.ts'
import { allRows } from '#api/lists.ts'
import { showsAsset } from '#records/assets/replaced-asset.ts'

export interface AssetUse {
  /** Different for each place. */
  readonly id: string
  readonly kind: 'signature' | 'reply' | 'internal' | 'campaign' | 'logo'
  /** The signature or the campaign. */
  readonly ownerId: string
  readonly name: string
  readonly to: string
}

interface NamedSignature {
  readonly id: string
  readonly name: string
}

/** Requests at once. */
const maxRequests = 6

async function variantUses(
  signatures: readonly NamedSignature[],
  assetId: string,
): Promise<readonly AssetUse[]> {
  const waiting = [...signatures]
  const uses: AssetUse[] = []
  const work = async () => {
    for (let signature = waiting.shift(); signature; signature = waiting.shift()) {
      const { id, name } = signature
      for (const { kind, content, draft_content } of await api.signatures.variants.list(id))
        if (showsAsset([content, draft_content], assetId))
          uses.push({
            id: `${id} ${kind}`,
            kind,
            ownerId: id,
            name,
            to: `/signatures/${id}/edit?mail=${kind}`,
          })
    }
  }
  await Promise.all(Array.from({ length: maxRequests }, work))
  return uses.sort((a, b) => a.name.localeCompare(b.name))
}

async function findUses({ id, signature_template_count: count }: Asset): Promise<readonly AssetUse[]> {
  const [signatures, campaigns, brand] = await Promise.all([
    allRows(page => api.signatures.list({ ...page, include_content: true })),
    allRows(page => api.marketingCampaigns.list(page)),
    api.brand.get(),
  ])
  const using = signatures.filter(each => showsAsset([each.content, each.draft_content], id))
  // The service counts signatures with their variants: when all are known, the others need not be asked.
  const variants = count === 0 ? [] : await variantUses(using.length === count ? using : signatures, id)
  return [
    ...(brand.logo_asset_id === id
      ? [{ id: 'logo', kind: 'logo' as const, ownerId: '', name: '', to: '/settings/brand' }]
      : []),
    ...using.map(each => ({
      id: each.id,
      kind: 'signature' as const,
      ownerId: each.id,
      name: each.name,
      to: `/signatures/${each.id}`,
    })),
    ...variants,
    ...campaigns
      .filter(each => showsAsset([each.content, each.variants], id))
      .map(each => ({
        id: each.id,
        kind: 'campaign' as const,
        ownerId: each.id,
        name: each.name,
        to: `/campaigns/${each.id}`,
      })),
  ]
}

export const useAssetUses = (asset: Asset) =>
  useQuery({
    queryKey: ['assets', asset.id, 'uses'],
    queryFn: () => findUses(asset),
    enabled: asset.in_use,
  })
