// Menus, dialogs and panels: 30 kB that no page needs to be shown. They are loaded at the first move of the pointer or
// the first key, before a person can open one.
import type { ComponentType } from 'react'
import { onDemand } from '../base/on-demand.tsx'

type Overlays = typeof import('./overlays.ts')

const loadOverlays = (): Promise<Overlays> => import('./overlays.ts')

export function loadOverlaysAtFirstInput(): void {
  // A failure is shown when a menu or dialog is opened, which loads again.
  const load = () => void loadOverlays().catch(() => undefined)
  for (const event of ['pointermove', 'pointerdown', 'keydown']) addEventListener(event, load, { once: true })
}

export const overlayPart = <Props extends object>(partOf: (overlays: Overlays) => ComponentType<Props>) =>
  onDemand(async () => ({ default: partOf(await loadOverlays()) }))
