// On a phone, blocks, outline and properties are sheets over the lower part of the page, opened by a bar.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { useDragState, useEditor, useEditorValue, useSheet } from './kit/editor-context.ts'
import { EditorIcon } from './kit/editor-icon.tsx'
import { selectionMark } from './kit/floating.ts'
import type { SheetName } from './kit/menu-store.ts'

const sheets = [
  ['add', 'plus'],
  ['blocks', 'layers'],
  ['properties', 'settings'],
] as const

/** Between the selected block and the sheet below it, in pixels. */
const spaceAbove = 16

export const sheetId = (name: SheetName): string => `editor-sheet-${name}`

export function SheetBar() {
  const t = useTranslations('editor.sheets')
  const { menus } = useEditor()
  const open = useSheet()
  useFreeCanvas()
  return (
    <nav
      aria-label={t('label')}
      className="sticky bottom-0 z-30 grid grid-cols-3 border-t border-line bg-card md:hidden"
    >
      {sheets.map(([name, icon]) => (
        <button
          key={name}
          type="button"
          aria-expanded={open === name}
          aria-controls={sheetId(name)}
          onClick={() => menus.showSheet(open === name ? undefined : name)}
          className={classes(
            'flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent',
            open === name ? 'font-medium text-accent' : 'text-muted',
          )}
        >
          <EditorIcon name={icon} size={18} />
          {t(name)}
        </button>
      ))}
    </nav>
  )
}

/** A sheet leaves room for the text that is edited, and for the selected block above it. */
function useFreeCanvas(): void {
  const { menus } = useEditor()
  const open = useSheet()
  const editingId = useEditorValue(state => state.editingId)
  const selectedId = useEditorValue(({ selection }) => selection.at(-1))
  useEffect(() => {
    if (editingId !== undefined) menus.showSheet(undefined)
  }, [menus, editingId])
  useEffect(() => {
    const sheet = open && document.getElementById(sheetId(open))
    const block = document.querySelector(`[${selectionMark}]`)
    // On a wide window, sheets are panes beside the canvas.
    if (!sheet || !block || selectedId === undefined || getComputedStyle(sheet).position !== 'fixed') return
    const [{ top }, box] = [sheet.getBoundingClientRect(), block.getBoundingClientRect()]
    const hidden = Math.min(box.bottom + spaceAbove - top, box.top - spaceAbove)
    if (hidden > 0) block.closest('[data-editor-scroll]')?.scrollBy({ top: hidden })
  }, [open, selectedId])
}

interface SheetProps {
  readonly name: SheetName
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A part of a pane that is a sheet on a phone. While a block is dragged out of it the sheet is out of the way, but it
 * stays on the page: a finger sends its events to the element that it has touched first.
 */
export function Sheet({ name, className = '', children }: SheetProps) {
  const { menus } = useEditor()
  const isOpen = useSheet() === name
  const isDragging = useDragState() !== undefined
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) element.current?.scrollTo({ top: 0 })
  }, [isOpen])
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen && !event.defaultPrevented) menus.showSheet(undefined)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the sheet from inside
    <div
      ref={element}
      id={sheetId(name)}
      onKeyDown={press}
      className={classes(
        'max-md:fixed max-md:inset-x-0 max-md:bottom-14 max-md:z-20 max-md:max-h-[50dvh] max-md:overflow-y-auto max-md:rounded-t-2xl max-md:border-t max-md:border-line max-md:bg-card max-md:p-4 max-md:shadow-floating',
        !isOpen && 'max-md:hidden',
        isDragging && 'max-md:pointer-events-none max-md:opacity-0',
        className,
      )}
    >
      {children}
    </div>
  )
}
