// Blocks can be dropped between the rows of the outline.
import { type RefObject, useEffect } from 'react'
import { childrenOf, idOf } from '#records/content/block.ts'
import { useDragState, useEditor } from '../editor-context.ts'
import type { Place } from '../model/place.ts'
import { canContain } from '../model/rules.ts'
import { findBlock } from '../model/tree.ts'
import type { OutlineRow } from './rows.ts'

interface RowSpot {
  readonly place: Place
  readonly depth: number
}

/** The upper part of a row is the place before it, the lower part the place after it or, of an open block, inside it. */
function spotAt({ id, parentId, index, depth, isOpen }: OutlineRow, part: number): RowSpot {
  if (part < 0.35) return { place: { parentId, index }, depth }
  if (isOpen !== undefined && part < 0.75) return { place: { parentId: id, index: 0 }, depth: depth + 1 }
  return { place: { parentId, index: index + 1 }, depth }
}

export function useOutlineZone(list: RefObject<HTMLElement | null>, rows: readonly OutlineRow[]) {
  const { drag, store } = useEditor()
  const state = useDragState()
  useEffect(
    () =>
      drag.addZone((dragged, x, y) => {
        const element = list.current
        const area = element?.getBoundingClientRect()
        const pane = element?.parentElement?.getBoundingClientRect()
        // The part of the tree that is scrolled away lies below the palette.
        if (!pane || y < pane.top || y > pane.bottom) return undefined
        if (!element || !area || x < area.left || x > area.right || y < area.top || y > area.bottom + 24)
          return undefined
        const items = [...element.querySelectorAll<HTMLElement>('[role=treeitem]')]
        const found = items.findIndex(item => y <= item.getBoundingClientRect().bottom)
        const at = found === -1 ? items.length - 1 : found
        const [item, row] = [items[at], rows[at]]
        const { tree } = store.getState()
        const box = item?.getBoundingClientRect()
        const { place, depth } =
          row && box
            ? spotAt(row, found === -1 ? 1 : (y - box.top) / box.height)
            : { place: { parentId: idOf(tree), index: childrenOf(tree).length }, depth: 0 }
        const parent = findBlock(tree, place.parentId)
        const path = parent ? [...parent.ancestors, parent.block] : []
        if (!parent || !canContain(parent.block, dragged.blocks, store.kind)) return undefined
        if (path.some(block => dragged.movedIds.includes(idOf(block)))) return undefined
        const isBefore = place.parentId === row?.parentId && place.index === row?.index
        const top = (box ? (isBefore ? box.top : box.bottom) : area.top) - area.top
        return { place, zone: 'outline', line: { top, bottom: top + 2, left: 28 + depth * 14, right: 0 } }
      }),
    [drag, store, list, rows],
  )
  return state?.spot?.zone === 'outline' ? state.spot.line : undefined
}
