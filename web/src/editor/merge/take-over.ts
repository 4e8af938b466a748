// Takes what another person has saved into an open draft, with its steps of undo.
import type { Content } from '@signoff/render'
import { isSameContent } from '#records/content/block-index.ts'
import type { Versioned } from '#state/versioned.ts'
import type { EditorStore } from '../model/store.ts'
import type { Autosave, SavedTree } from '../page/autosave.ts'
import { type Merge, type MergeChoices, mergeContents } from './merge.ts'
import { rebasedHistory } from './rebased-history.ts'

/** A tree that this editor has sent itself, without an answer, is not the work of another person. */
function baseOf({ saved, sent = [] }: SavedTree, theirs: Content): Content {
  return sent.some(tree => isSameContent(tree, theirs)) ? theirs : saved
}

interface OpenDraft {
  readonly store: EditorStore
  readonly autosave: Autosave
}

/** What both drafts give together. It changes nothing. */
export const mergeWith = ({ store, autosave }: OpenDraft, theirs: Content, choices?: MergeChoices): Merge =>
  mergeContents(
    { base: baseOf(autosave.known, theirs), mine: store.getState().tree, theirs, kind: store.kind },
    choices,
  )

/** For a merge without open questions: the draft becomes the merged one, which is saved over theirs. */
export function takeOver(
  { store, autosave }: OpenDraft,
  { data: theirs, etag }: Versioned<Content>,
  choices?: MergeChoices,
): void {
  const base = baseOf(autosave.known, theirs)
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
