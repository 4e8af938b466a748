// Undo and redo. A step keeps the whole tree: trees share their unchanged blocks, so a step costs only what it changed.
import type { Content } from '@signoff/render'
import { type AnyBlock, childrenOf } from '#records/content/block.ts'

export interface HistoryStep {
  readonly tree: Content
  /** The selection before the change that leads away from this tree. */
  readonly selection: readonly string[]
  /** With the changes of another person, which were merged into it: it can break a rule. */
  readonly isMerged?: boolean | undefined
}

export interface History {
  readonly past: readonly HistoryStep[]
  readonly present: Content
  readonly future: readonly HistoryStep[]
  /** Changes with the same key become one step: the letters of a word, the pixels of a drag. */
  readonly mergeKey: string | undefined
}

/** More than the 200 steps that are promised. */
const maxSteps = 300

export const newHistory = (present: Content): History => ({
  past: [],
  present,
  future: [],
  mergeKey: undefined,
})

export function recorded(
  history: History,
  tree: Content,
  selection: readonly string[],
  mergeKey: string | undefined,
): History {
  const isMerged = mergeKey !== undefined && mergeKey === history.mergeKey && history.past.length > 0
  const past = isMerged
    ? history.past
    : [...history.past, { tree: history.present, selection }].slice(-maxSteps)
  return { past, present: tree, future: [], mergeKey }
}

interface Moved {
  readonly history: History
  readonly selection: readonly string[]
  readonly isMerged: boolean
}

export function undone({ past, present, future }: History, selection: readonly string[]): Moved | undefined {
  const step = past.at(-1)
  if (!step) return undefined
  return {
    history: {
      past: past.slice(0, -1),
      present: step.tree,
      future: [{ tree: present, selection }, ...future],
      mergeKey: undefined,
    },
    selection: step.selection,
    isMerged: step.isMerged === true,
  }
}

export function redone({ past, present, future }: History, selection: readonly string[]): Moved | undefined {
  const [step, ...later] = future
  if (!step) return undefined
  return {
    history: {
      past: [...past, { tree: present, selection }],
      present: step.tree,
      future: later,
      mergeKey: undefined,
    },
    selection: step.selection,
    isMerged: step.isMerged === true,
  }
}

// The history as plain data, for the storage of the browser. Blocks that several trees share are written once.

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
    const stored = numbers.get(block)
    if (stored !== undefined) return stored
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
