// F6 goes from pane to pane: header, blocks, canvas, properties.
import { useEffect } from 'react'
import type { EditorStore } from '../model/store.ts'

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, [tabindex="0"]'

/** The text that is edited, else the part that has the keys of the pane, else its first control. */
function targetIn(pane: HTMLElement): HTMLElement | undefined {
  const preferred = ['.signoff-text-editing [contenteditable]', '[data-pane-focus]']
  for (const selector of preferred) {
    const element = pane.querySelector<HTMLElement>(selector)
    if (element?.checkVisibility()) return element
  }
  return [...pane.querySelectorAll<HTMLElement>(tabbable)].find(element => element.checkVisibility())
}

/** Panes that are not shown, such as closed sheets on a phone, are passed over. */
export function focusPane(direction: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')]
  const at = panes.findIndex(pane => pane.contains(document.activeElement))
  // Without a focus, the canvas comes first.
  const from = at === -1 ? panes.findIndex(({ dataset }) => dataset.pane === 'canvas') - direction : at
  for (let step = 1; step <= panes.length; step++) {
    const pane = panes[(from + direction * step + panes.length * (step + 1)) % panes.length]
    const target = pane && targetIn(pane)
    if (!target) continue
    target.focus()
    return
  }
}

export const focusCanvas = (): void =>
  document.querySelector<HTMLElement>('[data-canvas]')?.focus({ preventScroll: true })

/** In a field, keys and the clipboard belong to the field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))

/** For parts of the page that belong to the text: a press on them does not end the editing. */
export const keepsTextOpen = { 'data-keeps-text': '' } as const

/** A press elsewhere on the page ends the editing. Dialogs and lists that float above the page belong to their opener. */
export function useEndOutside(store: EditorStore): void {
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || !target.closest('#root')) return
      if (!target.closest('[data-keeps-text], .signoff-text-editing')) store.edit(undefined)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [store])
}
