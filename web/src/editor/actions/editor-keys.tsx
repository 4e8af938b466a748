// Listens to the keys of the editor. In a field the keys belong to the field, but for F6.
import { useEffect } from 'react'
import { useSelectedText } from '../blocks/block-names.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { type EditorParts, useEditor } from '../kit/editor-context.ts'
import { selectionAnchor } from '../kit/floating.ts'
import { focusPane, isTyping } from '../kit/focus.ts'
import { blockAfter, extended, type SelectStep, siblingsOf } from '../model/selecting.ts'
import { knownReferences } from '../rendering/record-queries.ts'
import { useClipboardText } from './action-messages.ts'
import {
  allBindings,
  type BlockAction,
  type EditorAction,
  isCanvas,
  isElsewhere,
  isInScope,
  isPressed,
} from './key-map.ts'
import { isPossible, useBlockActions } from './use-block-actions.ts'
import { useClipboard } from './use-clipboard.ts'

const selectSteps: readonly EditorAction[] = ['previous', 'next', 'parent', 'child', 'first', 'last']
const isSelectStep = (action: EditorAction): action is SelectStep => selectSteps.includes(action)

/** Actions that do not need a block. Undefined: it is none of them. */
function runPageAction({ store, menus }: EditorParts, action: EditorAction): boolean | undefined {
  const { tree, selection } = store.getState()
  const last = selection.at(-1)
  if (isSelectStep(action)) {
    const next = blockAfter(tree, last, action)
    if (next !== undefined) store.select([next])
    return true
  }
  switch (action) {
    case 'extendUp':
    case 'extendDown':
      store.select(extended(tree, selection, action === 'extendUp' ? 'previous' : 'next'))
      return true
    case 'selectAll':
      store.select(siblingsOf(tree, last))
      return true
    case 'selectNone':
      store.select([])
      return selection.length > 0
    case 'undo':
      store.undo()
      return true
    case 'redo':
      store.redo()
      return true
    case 'blockMenu':
      if (selection.length > 0) menus.open({ kind: 'block', at: selectionAnchor() })
      return selection.length > 0
    case 'keyMap':
      menus.open({ kind: 'keys' })
      return true
    default:
      return undefined
  }
}

/** True if the key was used. */
function press(event: KeyboardEvent, parts: EditorParts, run: (action: BlockAction) => void): boolean {
  const target = event.target instanceof Element ? event.target : document.body
  if (isElsewhere(target)) return false
  if (event.key === 'F6') {
    focusPane(event.shiftKey ? -1 : 1)
    return true
  }
  if (isTyping(target)) return false
  // The code that edits texts is not there yet: the next keys are meant for the text.
  if (isCanvas(target) && parts.store.getState().editingId !== undefined) return false
  const binding = allBindings.find(
    ({ keys, scope }) => isInScope(scope, target) && keys.some(each => isPressed(event, each)),
  )
  if (!binding) return false
  const isUsed = runPageAction(parts, binding.action)
  if (isUsed !== undefined) return isUsed
  const action = binding.action as BlockAction
  // A key without effect stays with the browser, but it says why nothing happens.
  if (!isPossible(parts.store.getState(), action) && parts.store.getState().selection.length === 0)
    return false
  run(action)
  return true
}

/** Says what is selected, when the canvas has the focus: the rows of the outline say it themselves. */
function useSelectionAnnouncement(): void {
  const { store } = useEditor()
  const announce = useAnnounce()
  const textOf = useSelectedText()
  useEffect(() => {
    let before = store.getState().selection
    return store.subscribe(() => {
      const state = store.getState()
      const isNew = state.selection !== before && state.selection.length > 0
      before = state.selection
      if (isNew && document.activeElement && isCanvas(document.activeElement)) announce(textOf(state))
    })
  }, [store, announce, textOf])
}

export function EditorKeys() {
  const parts = useEditor()
  const run = useBlockActions()
  useSelectionAnnouncement()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && press(event, parts, run)) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [parts, run])
  useClipboard(parts.store, knownReferences, useClipboardText())
  return null
}
