// A press on a block, on the canvas or in the outline: it selects the block, and dragging moves all selected ones.
import type { PointerEvent } from 'react'
import type { AnyBlock } from '#records/content/block.ts'
import type { EditorParts } from '../kit/editor-context.ts'
import { pointRectangle } from '../kit/menu-store.ts'
import { rangeTo } from '../model/selecting.ts'
import { blockOf } from '../model/tree.ts'

export function pressBlock(
  event: PointerEvent,
  id: string,
  { store, drag, menus }: EditorParts,
  nameOf: (block: AnyBlock) => string,
): void {
  // The right button opens the menu, which keeps what is selected.
  if (event.button !== 0) return
  const { tree: root, selection } = store.getState()
  if (event.shiftKey) {
    store.select(rangeTo(root, selection, id))
    return
  }
  if (event.ctrlKey || event.metaKey) {
    store.select(selection.includes(id) ? selection.filter(each => each !== id) : [...selection, id])
    return
  }
  const isFinger = event.pointerType === 'touch'
  const selectBlock = () => {
    if (!store.getState().selection.includes(id)) store.select([id])
  }
  // A finger that scrolls the page also begins with a press.
  if (!isFinger) selectBlock()
  drag.watch(event.nativeEvent, {
    start() {
      selectBlock()
      const { tree, selection: movedIds } = store.getState()
      const blocks = movedIds.flatMap(each => blockOf(tree, each) ?? [])
      const [first] = blocks
      return first && { dragged: { blocks, movedIds }, label: nameOf(first) }
    },
    onTap: () => store.select([id]),
    onHeld: ({ clientX, clientY }) => menus.open({ kind: 'block', at: pointRectangle(clientX, clientY) }),
  })
}

/** True if the press was on the space around the canvas, and not on a scroll bar. */
export function isAroundCanvas({ target, nativeEvent }: PointerEvent): boolean {
  if (!(target instanceof Element) || !target.querySelector('[data-canvas]')) return false
  return nativeEvent.offsetX < target.clientWidth && nativeEvent.offsetY < target.clientHeight
}

/** A press beside all blocks selects nothing; of a finger only when it was no scrolling. */
export function pressNothing(event: PointerEvent, { store, drag }: EditorParts): void {
  if (event.pointerType !== 'touch') store.select([])
  else drag.watch(event.nativeEvent, { start: () => undefined, onTap: () => store.select([]) })
}
