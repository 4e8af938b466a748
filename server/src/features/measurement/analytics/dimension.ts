// The dimensions by which views and clicks are counted.

export const dimensions = [
  'signature_template',
  'marketing_campaign',
  'campaign_variant',
  'teammate',
  'country',
  'anchor',
] as const
export type Dimension = (typeof dimensions)[number]

/** The whole workspace is also stored as a dimension. It has a single key. */
export const workspaceDimension = 'workspace'
export const workspaceKey = ''

export interface AnalyticsFilters {
  readonly signature_template_id?: string
  readonly marketing_campaign_id?: string
  readonly teammate_id?: string
  readonly country?: string
  readonly anchor_id?: string
}

export interface DimensionKey {
  readonly dimension: Dimension
  readonly key: string
}

const filtered = {
  signature_template_id: 'signature_template',
  marketing_campaign_id: 'marketing_campaign',
  teammate_id: 'teammate',
  country: 'country',
  anchor_id: 'anchor',
} as const

/** Keys as they are stored: ids in lower case, country codes in upper case, links as the content names them. */
const storedKeyOf = (dimension: Dimension, value: string): string => {
  if (dimension === 'country') return value.toUpperCase()
  return dimension === 'anchor' ? value : value.toLowerCase()
}

export const dimensionKeysOf = (filters: AnalyticsFilters): DimensionKey[] =>
  Object.entries(filtered).flatMap(([name, dimension]) => {
    const value = filters[name as keyof AnalyticsFilters]
    return value === undefined ? [] : [{ dimension, key: storedKeyOf(dimension, value) }]
  })

/** A variant id is only unique within its campaign, so the key contains both. */
export const variantKey = (campaignId: string, variant: string): string => `${campaignId}:${variant}`

export function parseVariantKey(key: string): { readonly campaignId: string; readonly variant: string } {
  const at = key.indexOf(':')
  return { campaignId: key.slice(0, at), variant: key.slice(at + 1) }
}
