// Signatures that lack a place for a campaign's banner: how far each one is on its way to get it.
import type { Content, Signature } from '@signoff/sdk'
import { hasBannerSlot } from '#api/banner-slots.ts'
import { api } from '#api/client.ts'
import { isSameValue } from '#state/use-edit.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import { withBannerSlot } from './with-banner-slot.ts'

/**
 * `missing`: the draft has no place. `ready`: it has one, and no other change. `changed`: it has other changes too.
 * `waiting`: it is to be approved.
 */
type SlotState = 'missing' | 'ready' | 'changed' | 'waiting'

export interface SlotProgress extends Pick<Signature, 'id' | 'name'> {
  readonly state: SlotState
  /** The version whose draft was judged: no other one is changed or published. */
  readonly etag: string | undefined
  readonly draft: Content | null
}

interface Node {
  readonly type?: string
  readonly children?: readonly Node[]
}

const withoutSlots = (node: Node): Node =>
  node.children
    ? { ...node, children: node.children.filter(({ type }) => type !== 'marketing').map(withoutSlots) }
    : node

const draftOf = ({ draft_content, content }: Pick<Signature, 'draft_content' | 'content'>): Content | null =>
  draft_content ?? content

function slotStateOf(signature: Pick<Signature, 'draft_content' | 'content'>, campaignId: string): SlotState {
  const draft = draftOf(signature)
  if (!hasBannerSlot(draft, campaignId)) return 'missing'
  const [drafted, published] = [draft, signature.content].map(tree => withoutSlots((tree ?? {}) as Node))
  return isSameValue(drafted, published) ? 'ready' : 'changed'
}

async function readSlot(id: string, campaignId: string): Promise<SlotProgress> {
  const [{ data, etag }, requests]: [Versioned<Signature>, { kind: string; stale: boolean }[]] =
    await Promise.all([
      versioned(api.signatures.get(id)),
      api.publicationRequests.list({ signature_id: id, status: 'pending', limit: 10 }),
    ])
  const isWaiting = requests.some(({ kind, stale }) => kind === 'primary' && !stale)
  const state = slotStateOf(data, campaignId)
  return {
    id,
    name: data.name,
    state: isWaiting && state !== 'missing' ? 'waiting' : state,
    etag,
    draft: draftOf(data),
  }
}

export const slotsQuery = (ids: readonly string[], campaignId: string) => ({
  queryKey: ['signatures', 'slots', campaignId, ids] as const,
  queryFn: () => Promise.all(ids.map(id => readSlot(id, campaignId))),
  staleTime: 0,
})

export async function addSlots(slots: readonly SlotProgress[]): Promise<void> {
  for (const { id, state, etag, draft } of slots)
    if (state === 'missing' && draft)
      await api.signatures.update(id, { draft_content: withBannerSlot(draft) }, { ifMatch: etag })
}

/** Returns how many wait for an approval now. */
export async function publishSlots(slots: readonly SlotProgress[]): Promise<number> {
  let waiting = 0
  for (const { id, etag } of slots) {
    const { status } = await api.signatures.publish(id, {}, { ifMatch: etag }).raw()
    if (status === 202) waiting += 1
  }
  return waiting
}
