// Which part of the page has the keys of the editor, and its clipboard.
import type { KeyScope } from './key-map.ts'

/** The links of the signature take the focus of a click: the page sees it on the element that holds the drawing. */
export const canvasDrawing = { 'data-canvas-drawing': '' } as const

/** A click on an empty part of the page gives the focus to the page. */
const isPage = (target: Element): boolean => target.matches('body, main')

/** Without a focus of its own, the canvas has the keys: where it is shown. Its `+` and handles have their own. */
export const isCanvas = (target: Element): boolean =>
  target.matches('[data-canvas], [data-canvas-drawing]') ||
  (isPage(target) && document.querySelector('[data-canvas]') !== null)
const isRow = (target: Element): boolean => target.matches('[role=treeitem]')

/** Menus and dialogs have their own keys. */
export const isElsewhere = (target: Element): boolean =>
  target.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null

export const isInScope = (scope: KeyScope | 'none', target: Element): boolean => {
  if (scope === 'none') return false
  return scope === 'editor' || isCanvas(target) || (scope === 'blocks' && isRow(target))
}
