// Undo and redo. A step keeps the whole tree: trees share their unchanged blocks, so a step costs only what it changed.
import type { Content } from '@signoff/render'

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
export const maxSteps = 300

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

export interface Moved {
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
