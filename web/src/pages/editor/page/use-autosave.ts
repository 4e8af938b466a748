// Connects the store of an editor with the service.
import type { Content } from '@signoff/render'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { codeOf, isSignoffError, isStale } from '../../../api/errors.ts'
import type { EditorStore } from '../model/store.ts'
import { Autosave, type SaveTarget } from './autosave.ts'

/** Faults of the network and of the service pass; what the service refuses stays refused. */
const kindOfFailure: SaveTarget['kindOfFailure'] = error => {
  if (isStale(error)) return 'conflict'
  const isRefused = isSignoffError(error) && error.status >= 400 && error.status < 500
  return isRefused && codeOf(error) !== 'rate_limited' ? 'refused' : 'offline'
}

interface AutosaveOptions {
  readonly store: EditorStore
  readonly save: SaveTarget['save']
  /** What the service has, with its version. */
  readonly stored: Content
  readonly version: string | undefined
}

export function useAutosave({ store, save, stored, version }: AutosaveOptions) {
  const autosave = useMemo(
    () => new Autosave({ save, kindOfFailure }, () => store.getState().tree, stored, version),
    [store],
  )
  useEffect(() => {
    const unsubscribe = store.subscribe(autosave.changed)
    const retry = () => void autosave.flush()
    window.addEventListener('online', retry)
    autosave.changed()
    return () => {
      unsubscribe()
      window.removeEventListener('online', retry)
      void autosave.flush()
    }
  }, [store, autosave])
  const { status, error } = useSyncExternalStore(autosave.subscribe, autosave.getState)
  return { autosave, status, error }
}
