// Menus, dialogs and panels share 35 kB of code. It is not part of the first load: the first movement of the pointer, touch
// or key loads it, so that it is there when something is opened.

import { loadToasts } from './toast.tsx'

export const loadOverlays = () => import('./overlay-parts.ts')

export function loadOverlaysAtFirstInput(): void {
  const inputs = ['pointermove', 'pointerdown', 'keydown'] as const
  const load = (event: Event) => {
    // Browsers also send a movement when the page moves below a pointer that rests.
    if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY)
      return
    for (const input of inputs) removeEventListener(input, load)
    // A failure is shown when something is opened, which loads again. Messages must also come when the service is away.
    Promise.all([loadOverlays(), loadToasts()]).catch(() => undefined)
  }
  for (const input of inputs) addEventListener(input, load, { passive: true })
}
