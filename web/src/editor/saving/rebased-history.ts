// The steps of undo after the changes of another person were merged: each step gets them too, so that undo takes back
// only the own steps.
import type { Content } from '@signoff/render'
import { isSameContent } from '#records/content/block-index.ts'
import type { Versioned } from '#state/versioned.ts'
import type { History, HistoryStep } from '../model/history.ts'
import type { EditorStore } from '../model/store.ts'
import type { Autosave, SavedTree } from './autosave.ts'
import {
  type Merge,
  type MergeChoices,
  type MergeInput,
  mergeContents,
  mergeUnchecked,
  wholeKey,
} from './merge.ts'

interface Rebase extends Omit<MergeInput, 'mine'> {
  /** The answers of a person for the present tree; they hold for the earlier steps too. */
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
  const result: HistoryStep[] = []
  let nearer = present
  for (const { tree, selection } of steps) {
    const rebased = rebasedTree(rebase, tree)
    // A step further away leads over this one.
    if (!rebased) break
    if (isSameContent(rebased, nearer)) continue
    result.push({ tree: rebased, selection, isMerged: true })
    nearer = rebased
  }
  return result
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

// Takes what another person has saved into an open draft, with its steps of undo.

/** A tree that this editor has sent itself, without an answer, is not the work of another person. */
function baseOf({ saved, sent = [] }: SavedTree, theirs: Content): Content {
  return sent.some(tree => isSameContent(tree, theirs)) ? theirs : saved
}

interface OpenDraft {
  readonly store: EditorStore
  readonly autosave: Autosave
}

/** The merge of both drafts. It changes nothing. */
export const mergeWith = ({ store, autosave }: OpenDraft, theirs: Content, choices?: MergeChoices): Merge =>
  mergeContents(
    { base: baseOf(autosave.base, theirs), mine: store.getState().tree, theirs, kind: store.kind },
    choices,
  )

/** For a merge without open questions: the draft becomes the merged one, which is saved over theirs. */
export function takeOver(
  { store, autosave }: OpenDraft,
  { data: theirs, etag }: Versioned<Content>,
  choices?: MergeChoices,
): void {
  const base = baseOf(autosave.base, theirs)
  const rebase = { base, theirs, kind: store.kind, ...(choices && { choices }) }
  store.rebase(rebasedHistory(store.history, rebase))
  const { tree } = store.getState()
  autosave.rebase(isSameContent(tree, theirs) ? tree : theirs, etag)
}

/** A colleague who saves every second could keep it busy. */
const maxRounds = 3

/**
 * After the editor was left: merges by itself, unless a person has to decide. Resolves with whether everything is saved.
 * `isLeft`: false when the editor was opened again, whose page merges then.
 */
export async function mergeAfterLeaving(
  draft: OpenDraft,
  read: () => Promise<Versioned<Content>>,
  isLeft: () => boolean,
): Promise<boolean> {
  const { autosave } = draft
  for (let round = 0; round < maxRounds && autosave.getState().status === 'conflict'; round++) {
    const theirs = await read().catch(() => undefined)
    if (!theirs || !isLeft() || mergeWith(draft, theirs.data).conflicts.length > 0) return false
    takeOver(draft, theirs)
    await autosave.flush()
  }
  return !autosave.isDirty
}
