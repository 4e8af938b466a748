// Which signatures have a place for campaign banners.
import { allRows } from './all-pages.ts'
import { api } from './client.ts'

interface ContentNode {
  readonly type?: string | undefined
  readonly visible?: boolean | undefined
  readonly children?: readonly object[] | undefined
}

/** A banner appears where the block for it is; a design without one shows no campaign. */
export function hasBannerPlace(content: object | null): boolean {
  const { type, visible, children = [] } = (content ?? {}) as ContentNode
  return visible !== false && (type === 'marketing' || children.some(hasBannerPlace))
}

export interface SignaturePlace {
  readonly id: string
  readonly name: string
  readonly isLive: boolean
  readonly hasPlace: boolean
}

export const signaturePlacesQuery = {
  queryKey: ['signatures', 'banner-places'] as const,
  queryFn: async (): Promise<readonly SignaturePlace[]> => {
    const rows = await allRows(page => api.signatures.list({ ...page, sort: 'name', include_content: true }))
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      isLive: row.signature_installation_activated && row.last_published_at !== null,
      hasPlace: hasBannerPlace(row.content ?? row.draft_content ?? null),
    }))
  },
  staleTime: 60_000,
}
