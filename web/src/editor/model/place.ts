// Where a block goes: before the child with this index of a parent.
import type { Content } from '@signoff/render'
import { type AnyBlock, type ContentKind, childrenOf, idOf } from '#records/content/block.ts'
import { canContain } from './rules.ts'
import { findBlock } from './tree.ts'

export interface Place {
  readonly parentId: string
  readonly index: number
}

/** Before the banner of a campaign, which stays below everything. */
const endOf = (block: AnyBlock): number =>
  childrenOf(block).findLastIndex(({ type }) => type !== 'marketing') + 1

/**
 * The nearest place for these blocks: inside the selected block when it can hold them, else after it or after the first
 * of its ancestors whose parent can hold them. Rows and columns go after a selected one, unless it is empty: a person who
 * adds one row after the other would get them all inside each other.
 */
export function placeFor(
  root: Content,
  selectedId: string | undefined,
  blocks: readonly AnyBlock[],
  kind: ContentKind,
): Place | undefined {
  const found = selectedId === undefined ? undefined : findBlock(root, selectedId)
  if (!found) return canContain(root, blocks, kind) ? { parentId: idOf(root), index: endOf(root) } : undefined
  const isBeside = childrenOf(found.block).length > 0 && blocks.every(({ type }) => type === 'stack')
  if ((!isBeside || found.block === root) && canContain(found.block, blocks, kind))
    return { parentId: idOf(found.block), index: endOf(found.block) }
  const chain = [...found.ancestors, found.block]
  for (let depth = chain.length - 2; depth >= 0; depth--) {
    const [parent, child] = [chain[depth], chain[depth + 1]]
    if (parent && child && canContain(parent, blocks, kind))
      return { parentId: idOf(parent), index: childrenOf(parent).indexOf(child) + 1 }
  }
  return undefined
}
