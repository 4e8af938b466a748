// The history as plain data, for the storage of the browser. Blocks that several trees share are written once.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf } from '#records/content/block.ts'
import type { History, HistoryStep } from './history.ts'

/** A block with the numbers of its children in their place, so that the order of the keys stays. */
type PackedBlock = object & { readonly children?: readonly number[] }

export interface PackedHistory {
  readonly blocks: readonly PackedBlock[]
  readonly past: readonly PackedStep[]
  readonly present: number
  readonly future: readonly PackedStep[]
}

interface PackedStep {
  readonly tree: number
  readonly selection: readonly string[]
  readonly isMerged?: boolean | undefined
}

export function packHistory({ past, present, future }: History): PackedHistory {
  const blocks: PackedBlock[] = []
  const numbers = new Map<AnyBlock, number>()
  const numberOf = (block: AnyBlock): number => {
    const known = numbers.get(block)
    if (known !== undefined) return known
    const children = 'children' in block ? { children: childrenOf(block).map(numberOf) } : {}
    const packed = { ...block, ...children } as PackedBlock
    const number = blocks.push(packed) - 1
    numbers.set(block, number)
    return number
  }
  const step = ({ tree, ...others }: HistoryStep): PackedStep => ({ tree: numberOf(tree), ...others })
  return { past: past.map(step), present: numberOf(present), future: future.map(step), blocks }
}

/** Blocks are written after their children, so one pass is enough. */
export function unpackHistory({ blocks, past, present, future }: PackedHistory): History {
  const unpacked: AnyBlock[] = []
  const blockAt = (number: number): AnyBlock => {
    const block = unpacked[number]
    if (!block) throw new Error(`the stored history lacks block ${number}`)
    return block
  }
  for (const block of blocks)
    unpacked.push((block.children ? { ...block, children: block.children.map(blockAt) } : block) as AnyBlock)
  const step = ({ tree, ...others }: PackedStep): HistoryStep => ({
    tree: blockAt(tree) as Content,
    ...others,
  })
  return {
    past: past.map(step),
    present: blockAt(present) as Content,
    future: future.map(step),
    mergeKey: undefined,
  }
}
