// Which signatures have a place for campaign banners.

import { api } from './client.ts'
import { allRows } from './lists.ts'

interface ContentNode {
  readonly type?: string | undefined
  readonly visible?: boolean | undefined
  readonly campaignUuid?: string | undefined
  readonly children?: readonly object[] | undefined
}

/**
 * A banner appears where the block for it is; a design without one shows no campaign. With an id: whether a block is for
 * this campaign or for any. The renderer has the same rule, but would make each page with campaigns 54 kB larger.
 */
export function hasBannerSlot(content: object | null, campaignId?: string): boolean {
  const { type, visible, campaignUuid, children = [] } = (content ?? {}) as ContentNode
  if (visible === false) return false
  if (type !== 'marketing') return children.some(child => hasBannerSlot(child, campaignId))
  return !campaignId || !campaignUuid || campaignUuid.toLowerCase() === campaignId
}

interface SignatureSlot {
  readonly id: string
  readonly name: string
  readonly isLive: boolean
  readonly hasSlot: boolean
}

export const signatureSlotsQuery = {
  queryKey: ['signatures', 'banner-slots'] as const,
  queryFn: async (): Promise<readonly SignatureSlot[]> => {
    const rows = await allRows(page => api.signatures.list({ ...page, sort: 'name', include_content: true }))
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      isLive: row.signature_installation_activated && row.last_published_at !== null,
      hasSlot: hasBannerSlot(row.content ?? row.draft_content ?? null),
    }))
  },
  staleTime: 60_000,
}
