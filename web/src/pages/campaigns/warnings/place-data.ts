// Signatures that lack a place for a campaign's banner: how far each one is on its way to get it.
import type { Content, Signature } from '@signoff/sdk'
import { hasBannerPlace } from '#api/banner-places.ts'
import { api } from '#api/client.ts'
import { isSameValue } from '#state/use-draft.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import { withBannerPlace } from './with-banner-place.ts'

/**
 * `missing`: the draft has no place. `ready`: it has one, and no other change. `changed`: it has other changes too.
 * `waiting`: it is to be approved.
 */
export type PlaceState = 'missing' | 'ready' | 'changed' | 'waiting'

export interface SignatureWithPlace extends Pick<Signature, 'id' | 'name'> {
  readonly state: PlaceState
  /** The version whose draft was judged: no other one is changed or published. */
  readonly etag: string | undefined
  readonly draft: Content | null
}

interface Node {
  readonly type?: string
  readonly children?: readonly Node[]
}

const withoutPlaces = (node: Node): Node =>
  node.children
    ? { ...node, children: node.children.filter(({ type }) => type !== 'marketing').map(withoutPlaces) }
    : node

const draftOf = ({ draft_content, content }: Pick<Signature, 'draft_content' | 'content'>): Content | null =>
  draft_content ?? content

export function placeStateOf(
  signature: Pick<Signature, 'draft_content' | 'content'>,
  campaignId: string,
): PlaceState {
  const draft = draftOf(signature)
  if (!hasBannerPlace(draft, campaignId)) return 'missing'
  const [drafted, published] = [draft, signature.content].map(tree => withoutPlaces((tree ?? {}) as Node))
  return isSameValue(drafted, published) ? 'ready' : 'changed'
}

async function readPlace(id: string, campaignId: string): Promise<SignatureWithPlace> {
  const [{ data, etag }, requests]: [Versioned<Signature>, { kind: string; stale: boolean }[]] =
    await Promise.all([
      versioned(api.signatures.get(id)),
      api.publicationRequests.list({ signature_id: id, status: 'pending', limit: 10 }),
    ])
  const isWaiting = requests.some(({ kind, stale }) => kind === 'primary' && !stale)
  const state = placeStateOf(data, campaignId)
  return {
    id,
    name: data.name,
    state: isWaiting && state !== 'missing' ? 'waiting' : state,
    etag,
    draft: draftOf(data),
  }
}

export const placesQuery = (ids: readonly string[], campaignId: string) => ({
  queryKey: ['signatures', 'places', campaignId, ids] as const,
  queryFn: () => Promise.all(ids.map(id => readPlace(id, campaignId))),
  staleTime: 0,
})

export async function addPlaces(places: readonly SignatureWithPlace[]): Promise<void> {
  for (const { id, state, etag, draft } of places)
    if (state === 'missing' && draft)
      await api.signatures.update(id, { draft_content: withBannerPlace(draft) }, { ifMatch: etag })
}

/** Returns how many wait for an approval now. */
export async function publishPlaces(places: readonly SignatureWithPlace[]): Promise<number> {
  let waiting = 0
  for (const { id, etag } of places) {
    const { status } = await api.signatures.publish(id, {}, { ifMatch: etag }).raw()
    if (status === 202) waiting += 1
  }
  return waiting
}
