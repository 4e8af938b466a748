// All blocks as a tree: the way to select, move, copy and remove them by keyboard, with a screen reader, or when they
// show nothing on the canvas.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { childrenOf, idOf } from '#records/content/block.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { useDragState, useEditor, useEditorState, useRenamingId } from '../kit/editor-context.ts'
import type { Position } from '../model/position.ts'
import { canContain } from '../model/rules.ts'
import { findBlock } from '../model/tree.ts'
import { OutlineItem } from './outline-item.tsx'
import { type OutlineMove, type OutlineRow, rowAfter, rowNames, rowsOf } from './outline-rows.ts'

const moves: Readonly<Record<string, OutlineMove>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  Home: 'first',
  End: 'last',
}

export const Outline = memo(function Outline() {
  const t = useTranslations('editor.outline')
  const { store } = useEditor()
  const { tree, selection } = useEditorState()
  const nameOf = useBlockName()
  // Texts are named by their smart fields.
  useQuery(smartFieldsQuery)
  const renamingId = useRenamingId()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = rowsOf(tree, closed)
  const names = rowNames(rows, nameOf)
  const list = useRef<HTMLDivElement>(null)
  const line = useOutlineZone(list, rows)
  const selectedId = selection.at(-1)
  const focused = Math.max(
    0,
    rows.findIndex(({ id }) => id === selectedId),
  )
  const toggle = useCallback(
    (id: string, isOpen: boolean) =>
      setClosed(before => new Set(isOpen ? [...before].filter(each => each !== id) : [...before, id])),
    [],
  )
  const hasFocus = useRef(false)
  useEffect(() => {
    if (selectedId === undefined) return
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(selectedId)}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    // The focus follows the selection, also when the focused row was removed.
    const { activeElement } = document
    const isLost = hasFocus.current && activeElement === document.body
    if (isLost || activeElement?.matches('[role=treeitem]')) row?.focus()
  }, [selectedId, tree])
  const focusRow = (at: number) => {
    const row = rows[at]
    if (!row) return
    store.select([row.id])
    list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`)?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const row = rows[focused]
    const isPlain = !event.altKey && !event.shiftKey && !event.ctrlKey && !event.metaKey
    const move = isPlain ? moves[event.key] : undefined
    if (!row || !move) return
    event.preventDefault()
    if (move === 'open' && row.isOpen === false) return toggle(row.id, true)
    if (move === 'close' && row.isOpen) return toggle(row.id, false)
    focusRow(rowAfter(rows, focused, move))
  }
  return (
    <div
      ref={list}
      role="tree"
      aria-label={t('label')}
      aria-multiselectable="true"
      className="relative grid grid-cols-1 contain-content"
      onKeyDown={press}
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
    >
      {rows.map((row, position) => (
        <OutlineItem
          key={row.id}
          row={row}
          name={names[position] ?? ''}
          isSelected={selection.includes(row.id)}
          isFocusable={position === focused}
          isRenaming={row.id === renamingId}
          onToggle={toggle}
        />
      ))}
      {line && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute h-0.5 rounded-full bg-accent"
          style={{ top: line.top, left: line.left, right: 0 }}
        />
      )}
      {rows.length === 0 && <p className="px-2 py-3 text-[0.8125rem] text-muted">{t('empty')}</p>}
    </div>
  )
})

// Blocks can be dropped between the rows of the outline.

interface RowSpot {
  readonly position: Position
  readonly depth: number
}

/** The upper part of a row is the place before it, the lower part the place after it or, of an open block, inside it. */
function spotAt({ id, parentId, index, depth, isOpen }: OutlineRow, part: number): RowSpot {
  if (part < 0.35) return { position: { parentId, index }, depth }
  if (isOpen !== undefined && part < 0.75) return { position: { parentId: id, index: 0 }, depth: depth + 1 }
  return { position: { parentId, index: index + 1 }, depth }
}

function useOutlineZone(list: RefObject<HTMLElement | null>, rows: readonly OutlineRow[]) {
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
        const itemIndex = items.findIndex(item => y <= item.getBoundingClientRect().bottom)
        const at = itemIndex === -1 ? items.length - 1 : itemIndex
        const [item, row] = [items[at], rows[at]]
        const { tree } = store.getState()
        const box = item?.getBoundingClientRect()
        const { position, depth } =
          row && box
            ? spotAt(row, itemIndex === -1 ? 1 : (y - box.top) / box.height)
            : { position: { parentId: idOf(tree), index: childrenOf(tree).length }, depth: 0 }
        const parent = findBlock(tree, position.parentId)
        const path = parent ? [...parent.ancestors, parent.block] : []
        if (!parent || !canContain(parent.block, dragged.blocks, store.kind)) return undefined
        if (path.some(block => dragged.movedIds.includes(idOf(block)))) return undefined
        const isBefore = position.parentId === row?.parentId && position.index === row?.index
        const top = (box ? (isBefore ? box.top : box.bottom) : area.top) - area.top
        return { position, zone: 'outline', line: { top, bottom: top + 2, left: 28 + depth * 14, right: 0 } }
      }),
    [drag, store, list, rows],
  )
  return state?.spot?.zone === 'outline' ? state.spot.line : undefined
}
