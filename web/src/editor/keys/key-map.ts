// The keys of the editor. The listener and the dialog that lists them read the same table.
import type { BlockCommand } from '../model/commands.ts'
import type { SelectStep } from '../model/selecting.ts'

/** What a menu, a button or a key can do with the selected blocks. */
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

/** Where a key works: on the canvas, on the canvas and in the outline, or everywhere outside of fields. */
export type KeyScope = 'canvas' | 'blocks' | 'editor'

export interface KeyBinding {
  readonly action: EditorAction
  /** `Mod` is Ctrl, on a Mac ⌘. The first one is shown in menus. */
  readonly keys: readonly string[]
  /** `none`: the browser or another part handles it; the row is only shown. */
  readonly scope: KeyScope | 'none'
}

export interface KeyGroup {
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
