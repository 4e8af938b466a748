// What the buttons and the keys do with the selected blocks.
import { childrenOf, idOf } from './block.ts'
import { duplicateBlocks, moveByStep, removeBlocks, unwrapBlock, wrapBlocks } from './operations.ts'
import { type EditorState, type EditorStore, movableSelection } from './store.ts'
import { blockOf, findBlock, parentOf } from './tree.ts'

export type BlockCommand = 'duplicate' | 'remove' | 'earlier' | 'later' | 'wrapRow' | 'wrapColumn' | 'unwrap'

const wrap = (store: EditorStore, direction: 'row' | 'column'): void => {
  const { root, wrapperId } = wrapBlocks(store.getState().tree, movableSelection(store.getState()), direction)
  if (wrapperId !== undefined) store.change(() => root, { select: [wrapperId] })
}

const step = (store: EditorStore, direction: 'earlier' | 'later'): void => {
  const [id] = movableSelection(store.getState())
  if (id !== undefined) store.change(root => moveByStep(root, id, direction))
}

/** The block that is selected after others were removed: the one before them, else their parent. */
function neighbourOf({ tree, selection }: EditorState): readonly string[] {
  const found = selection[0] === undefined ? undefined : findBlock(tree, selection[0])
  const parent = found && parentOf(found)
  if (!found || !parent) return []
  const before = childrenOf(parent)[found.index - 1] ?? (parent === tree ? undefined : parent)
  return before ? [idOf(before)] : []
}

export const blockCommands: Readonly<Record<BlockCommand, (store: EditorStore) => void>> = {
  duplicate(store) {
    const { root, copies } = duplicateBlocks(store.getState().tree, movableSelection(store.getState()))
    if (copies.length > 0) store.change(() => root, { select: copies })
  },
  remove(store) {
    const ids = movableSelection(store.getState())
    if (ids.length > 0)
      store.change(root => removeBlocks(root, ids), { select: neighbourOf(store.getState()) })
  },
  earlier: store => step(store, 'earlier'),
  later: store => step(store, 'later'),
  wrapRow: store => wrap(store, 'row'),
  wrapColumn: store => wrap(store, 'column'),
  unwrap(store) {
    const [id] = movableSelection(store.getState())
    const block = id === undefined ? undefined : blockOf(store.getState().tree, id)
    if (id !== undefined && block)
      store.change(root => unwrapBlock(root, id), { select: childrenOf(block).map(idOf) })
  },
}

/** Whether a command would change anything; the buttons of the others are off. */
export function canRun(state: EditorState, command: BlockCommand): boolean {
  const ids = movableSelection(state)
  const found = ids[0] === undefined ? undefined : findBlock(state.tree, ids[0])
  const parent = found && parentOf(found)
  if (!found || !parent) return false
  switch (command) {
    case 'duplicate':
    case 'remove':
      return true
    case 'earlier':
      return ids.length === 1 && found.index > 0
    case 'later':
      return ids.length === 1 && found.index < childrenOf(parent).length - 1
    case 'wrapRow':
    case 'wrapColumn':
      return wrapBlocks(state.tree, ids, 'row').wrapperId !== undefined
    case 'unwrap':
      return ids.length === 1 && found.block.type === 'stack' && parent.type === 'stack'
  }
}
