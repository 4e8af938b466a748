// What the palette and the inspector need of the workspace.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#api/client.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'

const brandQuery = { queryKey: ['brand'] as const, queryFn: () => api.brand.get() }
const campaignsQuery = {
  queryKey: ['campaigns', 'names'] as const,
  queryFn: () => api.marketingCampaigns.list({ limit: 100 }),
}

export const workspaceQueries = [smartFieldsQuery, brandQuery, campaignsQuery] as const

export function useWorkspaceParts() {
  const { data: brand } = useQuery(brandQuery)
  const { data: fields } = useQuery(smartFieldsQuery)
  const { data: campaigns } = useQuery(campaignsQuery)
  return useMemo(() => {
    const { primary, text, muted, link } = brand?.colors ?? {}
    return {
      brand,
      fields: fields ?? [],
      campaigns: campaigns ?? [],
      labels: new Map((fields ?? []).map(({ id, label }) => [id, label])),
      brandColors: [...new Set([primary, text, muted, link].filter(color => typeof color === 'string'))],
    }
  }, [brand, fields, campaigns])
}
