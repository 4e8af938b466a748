// The steps of undo after the changes of another person were merged: each step gets them too, so that undo takes back
// only the own steps.
import type { Content } from '@signoff/render'
import { isSameContent } from '#records/content/block-index.ts'
import type { History, HistoryStep } from '../model/history.ts'
import { type MergeChoices, type MergeInput, mergeContents, mergeUnchecked, wholeKey } from './merge.ts'

interface Rebase extends Omit<MergeInput, 'mine'> {
  /** What a person has answered for the present tree; it holds for the earlier steps too. */
  readonly choices?: MergeChoices
}

const noChoices: MergeChoices = new Map()

/**
 * Undefined when the step and the changes of the other person exclude each other. Undo checks the rules of the tree: a
 * check of 300 steps here would take seconds.
 */
function rebasedTree({ choices = noChoices, ...input }: Rebase, mine: Content): Content | undefined {
  if (choices.has(wholeKey)) return mergeContents({ ...input, mine }, choices).tree
  const merge = mergeUnchecked({ ...input, mine }, choices)
  return merge?.conflicts.every(({ key }) => choices.has(key)) ? merge.tree : undefined
}

/** The nearest step first. Steps that no longer change anything are left out. */
function rebasedSteps(
  rebase: Rebase,
  steps: readonly HistoryStep[],
  present: Content,
): readonly HistoryStep[] {
  const kept: HistoryStep[] = []
  let nearer = present
  for (const { tree, selection } of steps) {
    const rebased = rebasedTree(rebase, tree)
    // A step further away leads over this one.
    if (!rebased) break
    if (isSameContent(rebased, nearer)) continue
    kept.push({ tree: rebased, selection, isMerged: true })
    nearer = rebased
  }
  return kept
}

/** `mine`: the merge with my side of all blocks in question. To choose theirs is one step, which undo takes back. */
export function rebasedHistory(history: History, rebase: Rebase): History {
  const { mergeKey } = history
  const input = { ...rebase, mine: history.present }
  const mine = mergeContents(input).tree
  const merged = mergeContents(input, rebase.choices).tree
  const past = rebasedSteps(rebase, history.past.toReversed(), mine).toReversed()
  const future = rebasedSteps(rebase, history.future, merged)
  if (isSameContent(mine, merged)) return { past, present: merged, future, mergeKey }
  return { past: [...past, { tree: mine, selection: [] }], present: merged, future, mergeKey: undefined }
}
