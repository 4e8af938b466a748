// What an editor begins with: the content of the service, and the history that the browser has kept.
import type { Content } from '@signoff/render'
import type { Versioned } from '../../../api/use-resource.ts'
import { type History, newHistory } from '../model/history.ts'
import { unpackHistory } from '../model/packed-history.ts'
import { loadHistory, type StoredHistory } from './history-storage.ts'
import type { EditorTarget } from './targets.ts'

export interface Opened {
  readonly name: string
  readonly draft: Versioned<Content>
  readonly kept: StoredHistory | undefined
}

/** Read once for each visit; later versions come from the saves of the editor itself. */
export const openedQuery = ({ key, read }: EditorTarget) => ({
  queryKey: ['editor', key],
  queryFn: async (): Promise<Opened> => {
    const [{ name, ...draft }, kept] = await Promise.all([read(), loadHistory(key)])
    return { name, draft, kept }
  },
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

const isSame = (one: Content, other: Content): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The kept history, when it leads to what is stored, or has changes to the same version that were not saved. */
export function historyFrom({ draft, kept }: Opened): History {
  if (!kept) return newHistory(draft.data)
  try {
    const history = unpackHistory(kept.history)
    if (kept.version === draft.etag || isSame(history.present, draft.data)) return history
  } catch {
    // Written by another version of this page.
  }
  return newHistory(draft.data)
}

/** The tree that the service has: the kept one when it is the same, so that nothing looks changed. */
export const storedTree = (present: Content, draft: Content): Content =>
  isSame(present, draft) ? present : draft
