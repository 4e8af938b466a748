// Begins to edit: reads the draft of the service, and what the browser has kept.
import { codeOf } from '#state/errors.ts'
import { EditingSession, runningSession } from './editing-session.ts'
import { beginningOf, withCopies } from './kept-rows.ts'
import { hasUnsaved, loadKept, newRowKeys } from './kept-storage.ts'
import type { EditorTarget, ReadContent } from './targets.ts'

async function openSession(target: EditorTarget): Promise<EditingSession> {
  const running = runningSession(target.key)
  if (running) return running
  const [keys, kept, found] = await Promise.all([
    newRowKeys(target.key),
    loadKept(target.key),
    target.read().catch((error: unknown) => ({ error })),
  ])
  const rows = withCopies(kept.rows, kept.copies)
  const begin = ({ name, isLive = false, ...draft }: ReadContent) =>
    new EditingSession({ target, name, isLive, keys, beginning: beginningOf(draft, rows, target.kind) })
  if (!('error' in found)) return begin(found)
  // A colleague has deleted it: unsaved changes open all the same, so that they can be kept as something new.
  const unsaved = rows.find(({ row }) => row.unsaved)?.row.unsaved
  if (!unsaved || codeOf(found.error) !== 'not_found') throw found.error
  return begin({ name: unsaved.name, data: unsaved.saved, etag: unsaved.version })
}

/** Read once for each visit; later versions come from the saves of the editor itself. */
export const sessionQuery = (target: EditorTarget) => ({
  queryKey: ['editor', target.key],
  queryFn: () => openSession(target),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
})

/** Whether the browser has changes that the service has not. */
export const unsavedQuery = (target: EditorTarget) => ({
  queryKey: ['editor', target.key, 'unsaved'],
  queryFn: async () => runningSession(target.key) !== undefined || (await hasUnsaved(target.key)),
  gcTime: 0,
})
