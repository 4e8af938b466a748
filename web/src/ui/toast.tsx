// Short messages about what was done, or what went wrong.
import { useSyncExternalStore } from 'react'
import { onDemand } from './on-demand.tsx'

export interface ToastText {
  readonly title: string
  readonly description?: string
  readonly kind: 'good' | 'note' | 'bad'
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

export const loadToasts = () => import('./toast-region.tsx')
const Region = onDemand(loadToasts)

let isNeeded = false
const listeners = new Set<() => void>()

function show(content: ToastText): void {
  // Without a connection the code may be missing: the page then says what is wrong in its own place.
  loadToasts().then(
    ({ showToast }) => {
      isNeeded = true
      for (const listener of listeners) listener()
      showToast(content)
    },
    () => undefined,
  )
}

/** Says that something is done; it goes by itself. An `action` is the way back, such as “Undo”. */
export const toast = (title: string, more: Omit<Partial<ToastText>, 'title'> = {}): void =>
  show({ title, kind: 'good', ...more })

/** Says why nothing was done, or what is different than expected; it goes by itself. */
export const toastNote = (title: string): void => show({ title, kind: 'note' })

/** Says what went wrong; it stays until it is closed. */
export const toastError = (title: string, description?: string): void =>
  show({ title, kind: 'bad', ...(description !== undefined && { description }) })

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const isShown = useSyncExternalStore(subscribe, () => isNeeded)
  return isShown && <Region />
}
