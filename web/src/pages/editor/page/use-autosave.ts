// Connects the store of an editor with the service.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { codeOf, isSignoffError, isStale } from '../../../api/errors.ts'
import type { EditorStore } from '../model/store.ts'
import { Autosave, type SavedTree, type SaveTarget } from './autosave.ts'

/** Faults of the network and of the service pass; what the service refuses stays refused. */
const kindOfFailure: SaveTarget['kindOfFailure'] = error => {
  if (isStale(error)) return 'conflict'
  const isRefused = isSignoffError(error) && error.status >= 400 && error.status < 500
  return isRefused && codeOf(error) !== 'rate_limited' ? 'refused' : 'offline'
}

interface AutosaveOptions {
  readonly store: EditorStore
  readonly save: SaveTarget['save']
  /** What the editor began with. */
  readonly known: SavedTree
}

export function useAutosave({ store, save, known }: AutosaveOptions) {
  const autosave = useMemo(
    () => new Autosave({ save, kindOfFailure }, () => store.getState().tree, known),
    [store],
  )
  useEffect(() => {
    const unsubscribe = store.subscribe(autosave.changed)
    const retry = () => void autosave.flush()
    // A person who leaves the tab, or comes back after a new sign-in in another one, does not wait for the next try.
    window.addEventListener('online', retry)
    document.addEventListener('visibilitychange', retry)
    autosave.changed()
    return () => {
      unsubscribe()
      window.removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', retry)
      void autosave.flush().finally(() => autosave.stop())
    }
  }, [store, autosave])
  const { status, error } = useSyncExternalStore(autosave.subscribe, autosave.getState)
  return { autosave, status, error }
}
