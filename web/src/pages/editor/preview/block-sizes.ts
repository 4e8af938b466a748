// How many bytes each block adds to the HTML.
import type { Content } from '@signoff/render'
import { blockMarks } from '../canvas/marks.ts'
import { type AnyBlock, childrenOf, idOf } from '../model/block.ts'
import { blocksIn } from '../model/tree.ts'

export interface BlockSize {
  readonly block: AnyBlock
  readonly bytes: number
}

const encoder = new TextEncoder()
const mark = /<!--[\s\S]*?-->/g

/** Of the blocks without other blocks inside, the largest first. `html`: with the marks of the blocks. */
export function largestBlocks(tree: Content, html: string, count: number): readonly BlockSize[] {
  const sizes = [...blocksIn(tree)]
    .filter(block => childrenOf(block).length === 0)
    .flatMap(block => {
      const [open, close] = blockMarks(idOf(block))
      const start = html.indexOf(open)
      const end = html.indexOf(close, start)
      if (start < 0 || end < 0) return []
      const inner = html.slice(start + open.length, end).replace(mark, '')
      return [{ block, bytes: encoder.encode(inner).length }]
    })
  return sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, count)
}
