// What an editor begins with: the content of the service, and the history that the browser has kept.
import type { Content } from '@signoff/render'
import { codeOf } from '../../../api/errors.ts'
import type { Versioned } from '../../../api/versioned.ts'
import { isSameContent } from '../merge/block-index.ts'
import { type History, newHistory } from '../model/history.ts'
import { unpackHistory } from '../model/packed-history.ts'
import type { SavedTree } from './autosave.ts'
import { loadHistory, type StoredHistory } from './history-storage.ts'
import type { EditorTarget } from './targets.ts'

export interface Opened {
  readonly name: string
  readonly draft: Versioned<Content>
  readonly kept: StoredHistory | undefined
}

/** A colleague has deleted it: unsaved changes open all the same, so that they can be kept as something new. */
function withoutDraft(kept: StoredHistory | undefined, error: unknown): Opened {
  if (!kept?.unsaved || codeOf(error) !== 'not_found') throw error
  const { name, saved, version } = kept.unsaved
  return { name, draft: { data: saved, etag: version }, kept }
}

/** Read once for each visit; later versions come from the saves of the editor itself. */
export const openedQuery = ({ key, read }: EditorTarget) => ({
  queryKey: ['editor', key],
  queryFn: async (): Promise<Opened> => {
    const [found, kept] = await Promise.allSettled([read(), loadHistory(key)])
    if (kept.status === 'rejected') throw kept.reason
    if (found.status === 'rejected') return withoutDraft(kept.value, found.reason)
    const { name, ...draft } = found.value
    return { name, draft, kept: kept.value }
  },
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

interface Beginning {
  readonly history: History
  readonly known: SavedTree
}

function keptBeginning({ draft, kept }: Opened): Beginning | undefined {
  if (!kept) return undefined
  const history = unpackHistory(kept.history)
  // Saved, also by a save whose answer was lost.
  if (isSameContent(history.present, draft.data))
    return { history, known: { saved: history.present, version: draft.etag } }
  // The save with the old version is refused when a colleague has saved meanwhile: then both are merged.
  if (kept.unsaved) return { history, known: kept.unsaved }
  return undefined
}

/** The kept history, when it leads to what is stored, or has changes that were not saved. */
export function beginningOf(opened: Opened): Beginning {
  const fresh = {
    history: newHistory(opened.draft.data),
    known: { saved: opened.draft.data, version: opened.draft.etag },
  }
  try {
    return keptBeginning(opened) ?? fresh
  } catch {
    // Written by another version of this page.
    return fresh
  }
}
