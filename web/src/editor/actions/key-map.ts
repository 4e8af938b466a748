// The keys of the editor. The listener and the dialog that lists them read the same table.

import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import type { BlockCommand } from '../model/commands.ts'
import type { SelectStep } from '../model/selecting.ts'

/** An action of a menu, a button or a key on the selected blocks. */
export type BlockAction =
  | BlockCommand
  | 'insertAbove'
  | 'insertBelow'
  | 'copy'
  | 'cut'
  | 'paste'
  | 'editText'
  | 'rename'

export type EditorAction =
  | BlockAction
  | SelectStep
  | 'extendUp'
  | 'extendDown'
  | 'selectAll'
  | 'selectNone'
  | 'undo'
  | 'redo'
  | 'blockMenu'
  | 'nextPane'
  | 'previousPane'
  | 'keyMap'

/** The area in which a key works: the canvas, the canvas and the outline, or everything outside of fields. */
type KeyScope = 'canvas' | 'blocks' | 'editor'

interface KeyBinding {
  readonly action: EditorAction
  /** `Mod` is Ctrl, on a Mac ⌘. The first one is shown in menus. */
  readonly keys: readonly string[]
  /** `none`: the browser or another part handles it; the row is only shown. */
  readonly scope: KeyScope | 'none'
}

interface KeyGroup {
  readonly name: 'select' | 'change' | 'move' | 'editor'
  readonly bindings: readonly KeyBinding[]
}

export const keyMap: readonly KeyGroup[] = [
  {
    name: 'select',
    bindings: [
      { action: 'previous', keys: ['ArrowUp'], scope: 'canvas' },
      { action: 'next', keys: ['ArrowDown'], scope: 'canvas' },
      { action: 'parent', keys: ['ArrowLeft'], scope: 'canvas' },
      { action: 'child', keys: ['ArrowRight'], scope: 'canvas' },
      { action: 'first', keys: ['Home'], scope: 'canvas' },
      { action: 'last', keys: ['End'], scope: 'canvas' },
      { action: 'extendUp', keys: ['Shift+ArrowUp'], scope: 'blocks' },
      { action: 'extendDown', keys: ['Shift+ArrowDown'], scope: 'blocks' },
      { action: 'selectAll', keys: ['Mod+A'], scope: 'blocks' },
      { action: 'selectNone', keys: ['Escape'], scope: 'editor' },
    ],
  },
  {
    name: 'change',
    bindings: [
      { action: 'editText', keys: ['Enter'], scope: 'blocks' },
      { action: 'insertBelow', keys: ['Mod+Enter'], scope: 'editor' },
      { action: 'insertAbove', keys: ['Mod+Shift+Enter'], scope: 'editor' },
      { action: 'duplicate', keys: ['Mod+D'], scope: 'blocks' },
      { action: 'copy', keys: ['Mod+C'], scope: 'none' },
      { action: 'cut', keys: ['Mod+X'], scope: 'none' },
      { action: 'paste', keys: ['Mod+V'], scope: 'none' },
      { action: 'rename', keys: ['F2'], scope: 'editor' },
      { action: 'toggleVisible', keys: ['Mod+Shift+H'], scope: 'blocks' },
      { action: 'remove', keys: ['Delete', 'Backspace'], scope: 'blocks' },
    ],
  },
  {
    name: 'move',
    bindings: [
      { action: 'earlier', keys: ['Alt+ArrowUp'], scope: 'blocks' },
      { action: 'later', keys: ['Alt+ArrowDown'], scope: 'blocks' },
      { action: 'in', keys: ['Alt+ArrowRight'], scope: 'blocks' },
      { action: 'out', keys: ['Alt+ArrowLeft'], scope: 'blocks' },
      { action: 'group', keys: ['Mod+G'], scope: 'blocks' },
      { action: 'unwrap', keys: ['Mod+Shift+G'], scope: 'blocks' },
      { action: 'wrapRow', keys: ['Alt+Shift+R'], scope: 'blocks' },
      { action: 'wrapColumn', keys: ['Alt+Shift+C'], scope: 'blocks' },
    ],
  },
  {
    name: 'editor',
    bindings: [
      { action: 'undo', keys: ['Mod+Z'], scope: 'editor' },
      { action: 'redo', keys: ['Mod+Shift+Z', 'Mod+Y'], scope: 'editor' },
      { action: 'blockMenu', keys: ['Shift+F10'], scope: 'blocks' },
      { action: 'nextPane', keys: ['F6'], scope: 'none' },
      { action: 'previousPane', keys: ['Shift+F6'], scope: 'none' },
      { action: 'keyMap', keys: ['?', 'Mod+/'], scope: 'editor' },
    ],
  },
]

export const allBindings: readonly KeyBinding[] = keyMap.flatMap(({ bindings }) => bindings)

/** The keys that menus and tooltips show beside an action. */
export const keysOf = (action: EditorAction): string | undefined =>
  allBindings.find(binding => binding.action === action)?.keys[0]

// Which part of the page has the keys of the editor, and its clipboard.

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

// Compares keys with what was pressed, and writes them for people.

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** With Alt, a Mac reports the sign that would be typed: then the place of the key decides. */
function isKey({ key, code }: PressedKey, keyName: string): boolean {
  if (key.toLowerCase() === keyName.toLowerCase()) return true
  return /^[A-Z]$/.test(keyName) && code === `Key${keyName}`
}

export function isPressed(event: PressedKey, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const has = (modifier: string): boolean => parts.includes(modifier)
  const isModified = event.ctrlKey || event.metaKey
  // Where `?` and `/` are differs between keyboards.
  const isSign = /^[?/]$/.test(key)
  return (
    isKey(event, key) &&
    isModified === has('Mod') &&
    (isSign || (event.shiftKey === has('Shift') && event.altKey === has('Alt')))
  )
}

const symbols: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const macSymbols: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↵',
  Delete: '⌫',
}
const named = ['Mod', 'Shift', 'Alt', 'Enter', 'Delete', 'Escape', 'Backspace', 'Home', 'End'] as const

/** The keys of a combination as they are printed on the keyboard of the person. */
export function useKeyNames(): (keys: string) => readonly string[] {
  const t = useTranslations('editor.keys.names')
  return useCallback(
    keys =>
      keys.split('+').map(part => {
        const symbol = symbols[part] ?? (isMac ? macSymbols[part] : undefined)
        if (symbol !== undefined) return symbol
        const name = named.find(each => each === part)
        return name ? t(name) : part
      }),
    [t],
  )
}
