// All blocks as a tree: the way to select, move, copy and remove them by keyboard, with a screen reader, or when they
// show nothing on the canvas.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { useBlockName } from '../block-names.ts'
import { useEditor, useEditorState, useRenamingId } from '../editor-context.ts'
import { OutlineItem } from './outline-item.tsx'
import { type OutlineMove, rowAfter, rowNames, rowsOf } from './rows.ts'
import { useOutlineZone } from './use-outline-zone.ts'

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
