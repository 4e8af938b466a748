// The places before and after a block, for new blocks.
import type { Content } from '@signoff/render'
import { childrenOf, idOf } from '#records/content/block.ts'
import type { Place } from '../model/place.ts'
import { findWholeLine, parentOf } from '../model/tree.ts'

/** Without a selected block: the start or the end of the signature. An empty container takes new blocks itself. */
export function placeBeside(tree: Content, id: string | undefined, side: 'above' | 'below'): Place {
  const found = id === undefined ? undefined : findWholeLine(tree, id)
  const parent = found && parentOf(found)
  if (found?.block.type === 'stack' && childrenOf(found.block).length === 0)
    return { parentId: idOf(found.block), index: 0 }
  if (!found || !parent)
    return { parentId: idOf(tree), index: side === 'above' ? 0 : childrenOf(tree).length }
  return { parentId: idOf(parent), index: side === 'above' ? found.index : found.index + 1 }
}
