// Finds and replaces blocks. Unchanged blocks stay the same objects, so that comparing by identity is enough to see
// what has changed.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, withChildren } from '#records/content/block.ts'

export interface Found {
  readonly block: AnyBlock
  /** From the root down to the parent; empty for the root. */
  readonly ancestors: readonly AnyBlock[]
  /** The position among the children of the parent; 0 for the root. */
  readonly index: number
}

export function findBlock(root: AnyBlock, id: string): Found | undefined {
  const search = (block: AnyBlock, ancestors: readonly AnyBlock[], index: number): Found | undefined => {
    if (idOf(block) === id) return { block, ancestors, index }
    const inside = [...ancestors, block]
    for (const [position, child] of childrenOf(block).entries()) {
      const match = search(child, inside, position)
      if (match) return match
    }
    return undefined
  }
  return search(root, [], 0)
}

export const blockOf = (root: AnyBlock, id: string): AnyBlock | undefined => findBlock(root, id)?.block

export const parentOf = (match: Found): AnyBlock | undefined => match.ancestors.at(-1)

/** The words of a list line fill it: new lines go above and below the whole line. */
export function findWholeLine(root: AnyBlock, id: string): Found | undefined {
  const match = findBlock(root, id)
  const parent = match && parentOf(match)
  return parent?.type === 'listItem' ? findBlock(root, idOf(parent)) : match
}

/** Every block, parents before their children. */
export function* blocksIn(root: AnyBlock): Generator<AnyBlock> {
  yield root
  for (const child of childrenOf(root)) yield* blocksIn(child)
}

/** The block that has this id itself, or a token with it: warnings name either. */
export function blockWithToken(root: AnyBlock, id: string): AnyBlock | undefined {
  for (const block of blocksIn(root)) {
    if (idOf(block) === id) return block
    if ('tokens' in block && block.tokens?.some(token => token.id === id)) return block
  }
  return undefined
}

/** Changes one block. The same tree when the block does not exist or stays the same. */
export function changeBlock(root: Content, id: string, change: (block: AnyBlock) => AnyBlock): Content {
  const visit = (block: AnyBlock): AnyBlock => {
    if (idOf(block) === id) return change(block)
    const children = childrenOf(block)
    const position = children.findIndex(child => containsId(child, id))
    const child = children[position]
    if (child === undefined) return block
    const changed = visit(child)
    return changed === child ? block : withChildren(block, children.with(position, changed))
  }
  return visit(root) as Content
}

function containsId(block: AnyBlock, id: string): boolean {
  return idOf(block) === id || childrenOf(block).some(child => containsId(child, id))
}

export const changeChildren = (
  root: Content,
  parentId: string,
  change: (children: readonly AnyBlock[]) => readonly AnyBlock[],
): Content => changeBlock(root, parentId, parent => withChildren(parent, change(childrenOf(parent))))

/** The ids without those of blocks inside other given blocks, in the order of the tree. */
export function outermost(root: AnyBlock, ids: readonly string[]): readonly string[] {
  const candidates = new Set(ids)
  const result: string[] = []
  const visit = (block: AnyBlock): void => {
    if (candidates.has(idOf(block))) result.push(idOf(block))
    else childrenOf(block).forEach(visit)
  }
  visit(root)
  return result
}
