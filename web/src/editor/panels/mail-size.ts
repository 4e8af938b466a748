// How many characters each block adds to the HTML.
import { type Content, maxHtmlLength } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { blocksIn } from '../model/tree.ts'
import { blockMarks } from '../rendering/marks.ts'

interface BlockSize {
  readonly block: AnyBlock
  readonly length: number
}

const mark = /<!--[\s\S]*?-->/g

/** Sizes of the blocks without other blocks inside, the largest first. `html`: with the marks of the blocks. */
export function largestBlocks(tree: Content, html: string, count: number): readonly BlockSize[] {
  let at = 0
  const sizes = [...blocksIn(tree)]
    .filter(block => childrenOf(block).length === 0)
    .flatMap(block => {
      const [open, close] = blockMarks(idOf(block))
      // Blocks stand in the HTML in the order of the tree: the search goes on after the last one.
      const next = html.indexOf(open, at)
      const start = next < 0 ? html.indexOf(open) : next
      const end = html.indexOf(close, start)
      if (start < 0 || end < 0) return []
      at = end
      const inner = html.slice(start + open.length, end).replace(mark, '')
      return [{ block, length: inner.length }]
    })
  return sizes.toSorted((a, b) => b.length - a.length).slice(0, count)
}

// How near the HTML is to the limit of Gmail, with the bounds of the check: both say the same of the same signature.

/** Characters. */
export const gmailLimit = 10_000

export const sizeLevel = (length: number): 'fine' | 'warn' | 'bad' =>
  length > gmailLimit ? 'bad' : length > maxHtmlLength ? 'warn' : 'fine'
