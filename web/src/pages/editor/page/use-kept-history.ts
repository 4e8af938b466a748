// Keeps what was typed in the browser, also before it is saved: a reload, a closed tab or an ended session loses nothing.
import { useCallback, useEffect } from 'react'
import { packHistory } from '../model/packed-history.ts'
import type { EditorStore } from '../model/store.ts'
import type { Autosave } from './autosave.ts'
import { storeHistory } from './history-storage.ts'

/** At most this much of the typing is lost when the browser itself ends. */
const keepMilliseconds = 300

interface KeptHistoryOptions {
  readonly key: string
  readonly name: string
  readonly store: EditorStore
  readonly autosave: Autosave
}

/** Returns how to keep it at once, which answers whether the browser has stored it. */
export function useKeptHistory({ key, name, store, autosave }: KeptHistoryOptions): () => Promise<boolean> {
  const keep = useCallback(() => {
    const { known } = autosave
    return storeHistory(key, {
      history: packHistory(store.history),
      version: known.version,
      ...(autosave.isDirty && { unsaved: { ...known, name } }),
    })
  }, [key, name, store, autosave])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const now = () => {
      clearTimeout(timer)
      timer = undefined
      void keep()
    }
    let seen = store.getState().tree
    const onChange = () => {
      // A selection is no change.
      if (store.getState().tree === seen) return
      seen = store.getState().tree
      timer ??= setTimeout(now, keepMilliseconds)
    }
    const onStatus = () => {
      const { status } = autosave.getState()
      // What is sent is kept before the answer: a page that is reloaded meanwhile may have no time for it.
      if (status === 'saved' || status === 'saving') now()
    }
    const stops = [store.subscribe(onChange), autosave.subscribe(onStatus)]
    window.addEventListener('pagehide', now)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('pagehide', now)
      if (timer !== undefined) now()
    }
  }, [store, autosave, keep])
  return keep
}
