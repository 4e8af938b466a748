// Menus, dialogs and panels share 35 kB of code. It is not part of the first load: the first movement of the pointer, touch
// or key loads it, so that it is there when something is opened.

export const loadOverlays = () => import('./overlay-parts.ts')

export function loadOverlaysAtFirstInput(): void {
  const inputs = ['pointermove', 'pointerdown', 'keydown'] as const
  const load = () => {
    for (const input of inputs) removeEventListener(input, load)
    // A failure is shown when something is opened, which loads again.
    loadOverlays().catch(() => undefined)
  }
  for (const input of inputs) addEventListener(input, load, { passive: true })
}
