// How keys move the selection through the blocks, in the order of the outline.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { blocksIn, findBlock, parentOf } from './tree.ts'

export type SelectStep = 'previous' | 'next' | 'parent' | 'child' | 'first' | 'last'

/** The block that a key leads to; undefined when there is none. Without a selection, the first block. */
export function blockAfter(tree: Content, from: string | undefined, step: SelectStep): string | undefined {
  const ids = [...blocksIn(tree)].slice(1).map(idOf)
  const match = from === undefined ? undefined : findBlock(tree, from)
  if (!match || match.block === tree || step === 'first') return ids[0]
  if (step === 'last') return ids.at(-1)
  const at = ids.indexOf(idOf(match.block))
  const parent = parentOf(match)
  if (step === 'parent') return parent && parent !== tree ? idOf(parent) : undefined
  if (step === 'child') return childrenOf(match.block).map(idOf)[0]
  return ids[at + (step === 'next' ? 1 : -1)]
}

/** The selection after Shift and an arrow: the next sibling joins it, or the last one leaves it when the way goes back. */
export function extended(
  tree: Content,
  selection: readonly string[],
  step: 'previous' | 'next',
): readonly string[] {
  const last = selection.at(-1)
  const match = last === undefined ? undefined : findBlock(tree, last)
  const parent = match && parentOf(match)
  if (last === undefined || !match || !parent) return selection
  const sibling = childrenOf(parent)[match.index + (step === 'next' ? 1 : -1)]
  if (!sibling) return selection
  const id = idOf(sibling)
  return selection.includes(id) ? selection.filter(each => each !== last) : [...selection, id]
}

/** From the root down to the block. */
const pathTo = (tree: Content, id: string): readonly AnyBlock[] => {
  const match = findBlock(tree, id)
  return match ? [...match.ancestors, match.block] : []
}

/**
 * The selection after Shift and a click: the siblings from the block that was selected first to the clicked one, which
 * is the last. Of blocks with different parents, the siblings around them are taken.
 */
export function rangeTo(tree: Content, selection: readonly string[], clicked: string): readonly string[] {
  const [from, to] = [pathTo(tree, selection[0] ?? ''), pathTo(tree, clicked)]
  const depth = to.findIndex((block, level) => block !== from[level])
  const [first, last, parent] = [from[depth], to[depth], to[depth - 1]]
  // One of them is inside the other, or nothing was selected.
  if (!first || !last || !parent) return [clicked]
  const siblings = childrenOf(parent)
  const [start, end] = [siblings.indexOf(first), siblings.indexOf(last)]
  const ids = siblings.slice(Math.min(start, end), Math.max(start, end) + 1).map(idOf)
  return start <= end ? ids : ids.toReversed()
}

/** All siblings of the selected block; all blocks of the first level without one. */
export function siblingsOf(tree: Content, selected: string | undefined): readonly string[] {
  const match = selected === undefined ? undefined : findBlock(tree, selected)
  return childrenOf((match && parentOf(match)) ?? tree).map(idOf)
}
