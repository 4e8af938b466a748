// Puts loaded pictures into their blocks.
import type { Draft } from './layout/draft.ts'
import type { ImportNotes } from './notes.ts'

export interface PictureSlot {
  readonly source: string
  /** Null when the picture could not be loaded. */
  readonly assetId: string | null
  readonly problem: string
}

const maxAddress = 2_048
const nameOf = (source: string): string => (source.startsWith('data:') ? 'a data: address' : source)

/**
 * A picture that could not be loaded keeps its https address. Where that is impossible, its link remains as a text, and
 * a picture without a link is left out.
 */
export function insertPictures(
  draft: Draft,
  slots: readonly PictureSlot[],
  notes: ImportNotes,
): Draft | null {
  if (draft.children) {
    const children = draft.children
      .map(child => insertPictures(child, slots, notes))
      .filter(child => child !== null)
    // A column that became empty leaves no hole.
    const isHole = draft.type === 'stack' && children.length === 0 && draft.children.length > 0
    return isHole ? null : { ...draft, children }
  }
  const { picture, ...block } = draft
  const slot = picture === undefined ? undefined : slots[picture]
  if (slot === undefined) return draft
  if (slot.assetId !== null) return { ...block, assetUuid: slot.assetId }
  const { source, problem } = slot
  if (/^https:/i.test(source) && source.length <= maxAddress) {
    notes.add('picture_not_fetched', `${nameOf(source)} ${problem}; its address was kept`)
    return { ...block, src: source }
  }
  notes.add('picture', `${nameOf(source)} ${problem}`)
  const words = String(block.alt ?? '') || (block.href?.text ?? '')
  if (!block.href || words === '') return null
  const { blockStyle } = block
  return {
    type: 'text',
    tokens: [{ type: 'textToken', value: words, href: block.href }],
    ...(blockStyle && { blockStyle }),
  }
}
