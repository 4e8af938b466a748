// A press on a block, on the canvas or in the outline: it selects the block, and dragging moves all selected ones.
import type { PointerEvent } from 'react'
import type { EditorParts } from '../editor-context.ts'
import type { AnyBlock } from '../model/block.ts'
import { blockOf } from '../model/tree.ts'

export function pressBlock(
  event: PointerEvent,
  id: string,
  { store, drag }: EditorParts,
  nameOf: (block: AnyBlock) => string,
): void {
  const { selection } = store.getState()
  if (event.shiftKey || event.ctrlKey || event.metaKey) {
    store.select(selection.includes(id) ? selection.filter(each => each !== id) : [...selection, id])
    return
  }
  if (!selection.includes(id)) store.select([id])
  drag.watch(event.nativeEvent, () => {
    const { tree, selection: movedIds } = store.getState()
    const blocks = movedIds.flatMap(each => blockOf(tree, each) ?? [])
    const [first] = blocks
    return first && { dragged: { blocks, movedIds }, label: nameOf(first) }
  })
}
