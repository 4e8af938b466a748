// The keys of the editor. In a text field the keys belong to the field, but for undo.

import { type BlockCommand, blockCommands } from '../model/commands.ts'
import type { EditorStore } from '../model/store.ts'
import { isTyping } from './typing.ts'

/** Without a focus of its own, the canvas has the keys. */
const isCanvas = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof HTMLElement && target.matches('[data-canvas]'))

const withModifier: Readonly<Record<string, BlockCommand>> = { d: 'duplicate' }

/** Whether the key was used. */
export function runShortcut(event: KeyboardEvent, store: EditorStore): boolean {
  const isModified = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  if (isTyping(event.target)) return false
  if (isModified && key === 'z') {
    if (event.shiftKey) store.redo()
    else store.undo()
    return true
  }
  if (isModified && key === 'y') {
    store.redo()
    return true
  }
  const { selection, tree } = store.getState()
  if (key === 'escape' && selection.length > 0) {
    store.select([])
    return true
  }
  if (selection.length === 0 || selection[0] === tree.id) return false
  const command = isModified ? withModifier[key] : undefined
  if (command) {
    blockCommands[command](store)
    return true
  }
  if (!isModified && (key === 'delete' || key === 'backspace')) {
    blockCommands.remove(store)
    return true
  }
  if (!isModified && !event.altKey && key === 'enter' && isCanvas(event.target)) {
    store.edit(selection[0])
    return true
  }
  return false
}
