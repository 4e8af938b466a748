// Whether a page covers the whole window, such as the editor: the navigation behind it must not be reached by keyboard.
import { useEffect, useSyncExternalStore } from 'react'

let pages = 0
const listeners = new Set<() => void>()

function add(count: 1 | -1): void {
  pages += count
  for (const listener of listeners) listener()
}

/** While the component is shown. */
export const useCoveredFrame = (): void =>
  useEffect(() => {
    add(1)
    return () => add(-1)
  }, [])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsCovered = (): boolean => useSyncExternalStore(subscribe, () => pages > 0)
