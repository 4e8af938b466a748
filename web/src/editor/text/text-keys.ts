// The keys of the text editor. The menu at the cursor has its keys first.
import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { type Command, NodeSelection, type Plugin } from 'prosemirror-state'
import { fieldNode } from './document.ts'
import { toggleStyle } from './token-commands.ts'

export interface TextKeyOptions {
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onEnd: () => void
  /** Tab: the focus goes on to the next control of the page. */
  readonly onLeave: () => void
  /** The settings of the smart field that is selected. */
  readonly onFieldSettings: () => void
  readonly onToolbar: () => void
}

const command =
  (act: () => void): Command =>
  () => {
    act()
    return true
  }

const toggle =
  (...style: Parameters<typeof toggleStyle> extends [unknown, ...infer Rest] ? Rest : never): Command =>
  (state, dispatch) => {
    dispatch?.(toggleStyle(state, ...style))
    return true
  }

const lineBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.insertText('\n').scrollIntoView())
  return true
}

/** HTML shows spaces in a row as one, unless they cannot break. */
const secondSpace: Command = ({ selection, tr }, dispatch) => {
  const { $from, empty } = selection
  if (!empty || !/[ \u00a0]$/.test($from.nodeBefore?.text ?? '')) return false
  dispatch?.(tr.insertText('\u00a0').scrollIntoView())
  return true
}

const isFieldSelected = (selection: unknown): boolean =>
  selection instanceof NodeSelection && selection.node.type === fieldNode

/**
 * Removes a smart field beside the cursor: browsers differ in how they delete elements that cannot be edited. Tokens
 * without words are invisible, so they go with what stands behind them.
 */
const removeBeside =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const { selection, tr } = state
    if (!selection.empty) return false
    const beside = () => {
      const $position = tr.doc.resolve(tr.mapping.map(selection.from))
      return { position: $position.pos, node: direction < 0 ? $position.nodeBefore : $position.nodeAfter }
    }
    const remove = (position: number) =>
      direction < 0 ? tr.delete(position - 1, position) : tr.delete(position, position + 1)
    let neighbour = beside()
    while (neighbour.node && !neighbour.node.isText && neighbour.node.type !== fieldNode) {
      remove(neighbour.position)
      neighbour = beside()
    }
    const isField = neighbour.node?.type === fieldNode
    if (isField) remove(neighbour.position)
    if (tr.docChanged) dispatch?.(tr.scrollIntoView())
    // The browser deletes the letter, which can be more than one character.
    return isField
  }

export function textKeys(options: TextKeyOptions): readonly Plugin[] {
  const { onUndo, onRedo, onEnd, onLeave, onFieldSettings, onToolbar } = options
  return [
    keymap({
      'Mod-b': toggle('fontWeight', 'bold'),
      'Mod-i': toggle('fontStyle', 'italic'),
      'Mod-u': toggle('textDecoration', 'underline'),
      'Mod-z': command(onUndo),
      'Mod-y': command(onRedo),
      'Shift-Mod-z': command(onRedo),
      'Alt-F10': command(onToolbar),
      Escape: command(onEnd),
      'Mod-Enter': command(onEnd),
      // Not prevented: the browser moves the focus.
      Tab: () => {
        onLeave()
        return false
      },
      Enter(state, dispatch) {
        if (!isFieldSelected(state.selection)) return lineBreak(state, dispatch)
        onFieldSettings()
        return true
      },
      'Shift-Enter': lineBreak,
      Space: secondSpace,
      Backspace: removeBeside(-1),
      Delete: removeBeside(1),
    }),
    keymap(baseKeymap),
  ]
}
