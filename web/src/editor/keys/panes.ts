// F6 goes from pane to pane: header, blocks, canvas, properties.

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, [tabindex="0"]'

/** The text that is edited, else the part that has the keys of the pane, else its first control. */
function targetIn(pane: HTMLElement): HTMLElement | undefined {
  const preferred = ['.signoff-text-editing [contenteditable]', '[data-pane-focus]']
  for (const selector of preferred) {
    const found = pane.querySelector<HTMLElement>(selector)
    if (found?.checkVisibility()) return found
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
