// Which part of the page has the keys of the editor, and its clipboard.
import type { KeyScope } from './key-map.ts'

/** Without a focus of its own, the canvas has the keys: where it is shown. */
export const isCanvas = (target: Element): boolean =>
  target.matches('[data-canvas]') ||
  (target === document.body && document.querySelector('[data-canvas]') !== null)
const isRow = (target: Element): boolean => target.matches('[role=treeitem]')

/** Menus and dialogs have their own keys. */
export const isElsewhere = (target: Element): boolean =>
  target.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null

export const isInScope = (scope: KeyScope | 'none', target: Element): boolean => {
  if (scope === 'none') return false
  return scope === 'editor' || isCanvas(target) || (scope === 'blocks' && isRow(target))
}
