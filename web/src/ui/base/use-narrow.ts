import { useSyncExternalStore } from 'react'

/** Below Tailwind's `md`: phones. */
const query = matchMedia('(width < 48rem)')

const subscribe = (onChange: () => void) => {
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
