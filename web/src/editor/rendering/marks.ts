// Finds the blocks in the HTML of the renderer by the comments around them.
import type { Marks } from '@signoff/render'

export const blockMarks = (id: string): Marks => [`<!--block ${id}-->`, `<!--/block ${id}-->`]

const markPattern = /^(\/?)block (.+)$/s

export interface MarkedBlock {
  readonly start: Comment
  readonly end: Comment
}

export interface MarkedBlocks {
  readonly blocks: ReadonlyMap<string, MarkedBlock>
  /** The innermost block at a node; undefined outside all blocks. */
  readonly blockAt: (node: Node | null) => string | undefined
}

/**
 * The comments stand inside the cell of a block. A cell with nothing but one block belongs to that block, so that a
 * click on its padding selects the block.
 */
export function findMarkedBlocks(root: Node): MarkedBlocks {
  const starts = new Map<string, Comment>()
  const blocks = new Map<string, MarkedBlock>()
  const owners = new WeakMap<Node, string>()
  const open: string[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [, slash, id] = node instanceof Comment ? (markPattern.exec(node.data) ?? []) : []
    if (id === undefined) {
      const inside = open.at(-1)
      if (inside !== undefined) owners.set(node, inside)
    } else if (slash) {
      const start = starts.get(id)
      if (start) blocks.set(id, { start, end: node as Comment })
      open.pop()
    } else {
      starts.set(id, node as Comment)
      if (node.parentNode instanceof HTMLTableCellElement && !node.previousSibling)
        owners.set(node.parentNode, id)
      open.push(id)
    }
  }
  const blockAt = (node: Node | null): string | undefined => {
    for (let at = node; at && at !== root; at = at.parentNode) {
      const id = owners.get(at)
      if (id !== undefined) return id
    }
    return undefined
  }
  return { blocks, blockAt }
}
