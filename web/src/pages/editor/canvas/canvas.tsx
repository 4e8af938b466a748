// The signature as it is sent, with the selection and the place of a drop drawn above it.
import type { Token } from '@signoff/render'
import type { EditorView } from 'prosemirror-view'
import { type PointerEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { trustedHtml } from '../../../ui/trusted-html.ts'
import { useBlockName } from '../block-names.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { blockOf } from '../model/tree.ts'
import { TextEditing } from '../text/text-editing.tsx'
import { type Boxes, measureBoxes } from './boxes.ts'
import { dropAt } from './drop-place.ts'
import { findMarkedBlocks, type MarkedBlock, type MarkedBlocks } from './marks.ts'
import { Overlay } from './overlay.tsx'

/** The styles of the page must not reach the signature. */
const shadowCss =
  ':host{all:initial;display:block}a{cursor:default}*{user-select:none;-webkit-user-select:none}'

interface CanvasProps {
  /** What stands in the place of a smart field while its text is edited. */
  readonly fieldText: (token: Token) => string
  readonly onTextView: (view: EditorView | undefined) => void
  /** With the marks of `blockMarks`. */
  readonly html: string
  readonly isDark?: boolean
}

const nothingMarked: MarkedBlocks = { blocks: new Map(), blockAt: () => undefined }

/** The words of the block that is edited are drawn by the text editor instead. */
function putSlot({ start, end }: MarkedBlock): void {
  const range = document.createRange()
  range.setStartAfter(start)
  range.setEndBefore(end)
  range.deleteContents()
  const slot = document.createElement('slot')
  slot.name = 'text'
  start.after(slot)
}

/** Draws the HTML into a shadow root. Returns the host, the blocks in it and their places. */
function useDrawing(html: string, editingId: string | undefined) {
  const host = useRef<HTMLDivElement>(null)
  const marked = useRef(nothingMarked)
  const [boxes, setBoxes] = useState<Boxes>(new Map())
  const measure = useCallback(() => {
    if (host.current) setBoxes(measureBoxes(marked.current, host.current))
  }, [])
  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    if (!element.shadowRoot) {
      const root = element.attachShadow({ mode: 'open' })
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(shadowCss)
      root.adoptedStyleSheets = [sheet]
    }
    const root = element.shadowRoot
    if (!root) return
    root.innerHTML = trustedHtml(html)
    marked.current = findMarkedBlocks(root)
    const edited = editingId === undefined ? undefined : marked.current.blocks.get(editingId)
    if (edited) putSlot(edited)
    measure()
  }, [html, editingId, measure])
  useEffect(() => {
    const element = host.current
    if (!element) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Pictures have no height until they are loaded.
    element.shadowRoot?.addEventListener('load', measure, true)
    return () => {
      observer.disconnect()
      element.shadowRoot?.removeEventListener('load', measure, true)
    }
  }, [measure])
  return { host, marked, boxes }
}

export function Canvas({ html, fieldText, onTextView, isDark = false }: CanvasProps) {
  const t = useTranslations('editor')
  const { store, drag } = useEditor()
  const { tree, editingId } = useEditorState()
  const nameOf = useBlockName()
  const { host, marked, boxes } = useDrawing(html, editingId)
  const [hoveredId, setHoveredId] = useState<string>()
  const idAt = (event: PointerEvent | React.MouseEvent): string | undefined => {
    const [node] = event.nativeEvent.composedPath()
    return marked.current.blockAt(node instanceof Node ? node : null)
  }
  useEffect(
    () =>
      drag.addZone((dragged, x, y) => {
        const rect = host.current?.getBoundingClientRect()
        if (!rect || x < rect.left - 40 || x > rect.right + 40 || y < rect.top - 40 || y > rect.bottom + 80)
          return undefined
        const canvas = { left: 0, top: 0, right: rect.width, bottom: rect.height }
        const drop = dropAt({ tree, boxes, canvas, kind: store.kind }, dragged, x - rect.left, y - rect.top)
        return drop && { ...drop, zone: 'canvas' }
      }),
    [drag, store, tree, boxes, host],
  )
  const press = (event: PointerEvent) => {
    const id = idAt(event)
    const { selection, editingId } = store.getState()
    if (id !== undefined && id === editingId) return
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey
    if (id === undefined) store.select([])
    else if (isMore)
      store.select(selection.includes(id) ? selection.filter(each => each !== id) : [...selection, id])
    else if (!selection.includes(id)) store.select([id])
    if (id === undefined || isMore) return
    drag.watch(event.nativeEvent, () => {
      const movedIds = store.getState().selection
      const blocks = movedIds.flatMap(each => blockOf(store.getState().tree, each) ?? [])
      const [first] = blocks
      return first && { dragged: { blocks, movedIds }, label: nameOf(first) }
    })
  }
  const edit = (event: React.MouseEvent) => {
    const id = idAt(event)
    const block = id === undefined ? undefined : blockOf(store.getState().tree, id)
    if (block && 'tokens' in block && block.tokens) store.edit(id)
  }
  return (
    <section
      aria-label={t('canvas')}
      className="relative"
      style={{ background: isDark ? '#1b1b1b' : '#ffffff', colorScheme: isDark ? 'dark' : 'light' }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the outline does the same by keyboard */}
      <div
        ref={host}
        onPointerDown={press}
        onPointerMove={event => setHoveredId(idAt(event))}
        onPointerLeave={() => setHoveredId(undefined)}
        onDoubleClick={edit}
        onClickCapture={event => event.preventDefault()}
      >
        {editingId !== undefined && (
          <TextEditing key={editingId} id={editingId} fieldText={fieldText} onView={onTextView} />
        )}
      </div>
      <Overlay boxes={boxes} hoveredId={hoveredId} />
    </section>
  )
}
