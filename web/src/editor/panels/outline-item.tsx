import { type KeyboardEvent, type MouseEvent, memo, type PointerEvent, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { classes } from '#ui/base/classes.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { blockIcon } from '../blocks/blocks.ts'
import { pressBlock } from '../canvas/press-block.ts'
import { useEditor } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { pointRectangle } from '../kit/menu-store.ts'
import { setProperties } from '../model/operations.ts'
import { ProblemMark } from '../problems/problem-marks.tsx'
import type { OutlineRow } from './outline-rows.ts'

interface OutlineItemProps {
  readonly row: OutlineRow
  readonly name: string
  readonly isSelected: boolean
  readonly isFocusable: boolean
  readonly isRenaming: boolean
  readonly onToggle: (id: string, isOpen: boolean) => void
}

/** Rows are made anew on every change: a row with the same block at the same place is the same. */
function isSameItem(before: OutlineItemProps, after: OutlineItemProps): boolean {
  const [a, b] = [before.row, after.row]
  return (
    a.block === b.block &&
    a.parentId === b.parentId &&
    a.index === b.index &&
    a.siblings === b.siblings &&
    a.depth === b.depth &&
    a.isOpen === b.isOpen &&
    before.name === after.name &&
    before.isSelected === after.isSelected &&
    before.isFocusable === after.isFocusable &&
    before.isRenaming === after.isRenaming &&
    before.onToggle === after.onToggle
  )
}

const isHidden = (block: AnyBlock): boolean => block.visible === false

export const OutlineItem = memo(function OutlineItem({
  row,
  name,
  isSelected,
  isFocusable,
  isRenaming,
  onToggle,
}: OutlineItemProps) {
  const t = useTranslations('editor.outline')
  const parts = useEditor()
  const { store, menus, drag } = parts
  const nameOf = useBlockName()
  const { id, block, depth, isOpen } = row
  const hidden = isHidden(block)
  const press = (event: PointerEvent) => {
    if (!(event.target as Element).closest('button')) pressBlock(event, id, parts, nameOf)
  }
  const openMenu = (event: MouseEvent) => {
    event.preventDefault()
    if (!store.getState().selection.includes(id)) store.select([id])
    // The menu key reports the middle of the row.
    if (!drag.isHolding) menus.open({ kind: 'block', at: pointRectangle(event.clientX, event.clientY) })
  }
  const focusRow = () =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[role=treeitem][data-id="${CSS.escape(id)}"]`)?.focus(),
    )
  return (
    <div
      role="treeitem"
      aria-label={name}
      data-id={id}
      aria-level={depth + 1}
      aria-posinset={row.index + 1}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      tabIndex={isFocusable ? 0 : -1}
      onPointerDown={press}
      onDoubleClick={() => menus.rename(id)}
      onContextMenu={openMenu}
      className={classes(
        'touch-hold group flex [contain-intrinsic-size:auto_2rem] [content-visibility:auto] min-h-8 cursor-default items-center gap-1.5 rounded-lg pe-1 text-[0.8125rem] outline-offset-[-2px] select-none focus-visible:outline-2 focus-visible:outline-accent',
        isSelected ? 'bg-accent-soft font-medium' : 'hover:bg-sunken',
        hidden && 'text-muted',
      )}
      style={{ paddingInlineStart: 4 + depth * 14 }}
    >
      {isOpen === undefined ? (
        <span className="w-6" />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t(isOpen ? 'close' : 'open', { name })}
          onClick={() => onToggle(id, !isOpen)}
          className="grid size-6 place-items-center rounded text-muted hover:text-ink"
        >
          <EditorIcon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        </button>
      )}
      <EditorIcon name={blockIcon(block)} size={14} className="text-muted" />
      {isRenaming ? (
        <RenameField block={block} name={name} onEnd={focusRow} />
      ) : (
        <span className={classes('min-w-0 flex-1 truncate', hidden && 'line-through')}>{name}</span>
      )}
      <ProblemMark blockId={id} name={name} isTabStop={false} />
      <button
        type="button"
        tabIndex={-1}
        aria-label={t(hidden ? 'show' : 'hide', { name })}
        onClick={() => store.change(root => setProperties(root, id, { visible: hidden ? undefined : false }))}
        className={classes(
          'size-6 shrink-0 place-items-center rounded text-muted hover:text-ink',
          // The name has its room while the pointer is elsewhere.
          hidden ? 'grid' : 'hidden group-hover:grid group-focus-within:grid',
        )}
      >
        <EditorIcon name={hidden ? 'eye-off' : 'eye'} size={14} />
      </button>
    </div>
  )
}, isSameItem)

// The name of a block, changed in its row.

interface RenameFieldProps {
  readonly block: AnyBlock
  readonly name: string
  /** Back to the row. */
  readonly onEnd: () => void
}

function RenameField({ block, name, onEnd }: RenameFieldProps) {
  const t = useTranslations('editor.outline')
  const { store, menus } = useEditor()
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => field.current?.select(), [])
  /** An empty name is the standard one: the words of the block, or its type. */
  const end = (isKept: boolean) => {
    if (isDone.current) return
    isDone.current = true
    const typed = field.current?.value.trim() ?? ''
    if (isKept && typed !== name)
      store.change(root => setProperties(root, idOf(block), { displayName: typed || undefined }))
    menus.rename(undefined)
  }
  const press = (event: KeyboardEvent) => {
    // The arrows are for the field, not for the rows.
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    end(event.key === 'Enter')
    onEnd()
  }
  return (
    <input
      ref={field}
      aria-label={t('rename', { name })}
      defaultValue={name}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: the person has asked to rename it
      autoFocus
      onKeyDown={press}
      onBlur={() => end(true)}
      onPointerDown={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      className="min-h-6 min-w-0 flex-1 rounded border border-accent bg-card px-1 outline-none select-text"
    />
  )
}
