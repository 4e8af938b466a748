// How many characters each block adds to the HTML.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf } from '#records/content/block.ts'
import { blockMarks } from '../canvas/marks.ts'
import { blocksIn } from '../model/tree.ts'

export interface BlockSize {
  readonly block: AnyBlock
  readonly length: number
}

const mark = /<!--[\s\S]*?-->/g

/** Of the blocks without other blocks inside, the largest first. `html`: with the marks of the blocks. */
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
