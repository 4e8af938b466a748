// All blocks as a tree: the way to select, move, copy and remove them by keyboard, with a screen reader, or when they
// show nothing on the canvas.
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '../announcements.tsx'
import { useBlockName } from '../block-names.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { moveByStep, type Step } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { OutlineItem } from './outline-item.tsx'
import { type OutlineMove, rowAfter, rowsOf } from './rows.ts'
import { useOutlineZone } from './use-outline-zone.ts'

const moves: Readonly<Record<string, OutlineMove>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  Home: 'first',
  End: 'last',
}

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: 'earlier',
  ArrowDown: 'later',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

export function Outline() {
  const t = useTranslations('editor.outline')
  const { store } = useEditor()
  const { tree, selection } = useEditorState()
  const nameOf = useBlockName()
  const announce = useAnnounce()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = rowsOf(tree, closed)
  const list = useRef<HTMLDivElement>(null)
  const line = useOutlineZone(list, rows)
  const focused = Math.max(
    0,
    rows.findIndex(({ id }) => selection.includes(id)),
  )
  const toggle = useCallback(
    (id: string, isOpen: boolean) =>
      setClosed(before => new Set(isOpen ? [...before].filter(each => each !== id) : [...before, id])),
    [],
  )
  const selectedId = selection.at(-1)
  useEffect(() => {
    if (selectedId === undefined) return
    list.current?.querySelector(`[data-id="${CSS.escape(selectedId)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])
  const focusRow = (at: number) => {
    const row = rows[at]
    if (!row) return
    store.select([row.id])
    list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`)?.focus()
  }
  const moveBlock = (step: Step) => {
    const row = rows[focused]
    if (!row) return
    const problems = store.change(root => moveByStep(root, row.id, step), { select: [row.id] })
    const block = blockOf(store.getState().tree, row.id)
    const now = rowsOf(store.getState().tree, new Set()).find(({ id }) => id === row.id)
    if (!block || !now) return
    const isSame = now.parentId === row.parentId && now.index === row.index
    const parent = blockOf(store.getState().tree, now.parentId)
    announce(
      isSame || problems.length > 0 || !parent
        ? t('cannotMove', { name: nameOf(block) })
        : t('moved', { name: nameOf(block), position: now.index + 1, parent: nameOf(parent) }),
    )
  }
  const press = (event: KeyboardEvent) => {
    const row = rows[focused]
    const step = event.altKey ? steps[event.key] : undefined
    const move = moves[event.key]
    if (!row || (!step && !move)) return
    event.preventDefault()
    if (step) return moveBlock(step)
    if (move === 'open' && row.isOpen === false) return toggle(row.id, true)
    if (move === 'close' && row.isOpen) return toggle(row.id, false)
    if (move) focusRow(rowAfter(rows, focused, move))
  }
  return (
    <div
      ref={list}
      role="tree"
      aria-label={t('label')}
      aria-multiselectable="true"
      className="relative grid grid-cols-1"
      onKeyDown={press}
    >
      {rows.map((row, position) => (
        <OutlineItem
          key={row.id}
          row={row}
          name={nameOf(row.block)}
          isSelected={selection.includes(row.id)}
          isFocusable={position === focused}
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
}
