// What the palette and the inspector need of the workspace.
import { queryOptions, useQuery } from '@tanstack/react-query'
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

// The people that the editor can show.

/** An address, or sample values. */
export type PersonChoice = { readonly emailId: string } | 'placeholder' | 'longest'

/** Whose contact card and pictures: samples have those of the placeholders. */
export const emailIdOf = (choice: PersonChoice): string | null =>
  typeof choice === 'string' ? null : choice.emailId

/** `signatureId`: the signature whose campaigns are meant; undefined for content that belongs to none. */
export const renderedPersonQuery = (choice: PersonChoice, signatureId?: string) =>
  queryOptions({
    queryKey: ['teammates', 'rendered', choice, signatureId ?? null],
    queryFn: () =>
      api.content.person({
        ...(typeof choice === 'string' ? { sample: choice } : { email_id: choice.emailId }),
        ...(signatureId !== undefined && { signature_id: signatureId }),
      }),
    staleTime: 30_000,
  })
