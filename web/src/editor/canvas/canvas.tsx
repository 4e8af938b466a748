// The signature as it is sent, with the selection and the place of a drop drawn above it.
import {
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import { tokensOf } from '#records/content/block.ts'
import { toastNote } from '#ui/feedback/toast.tsx'
import { canvasDrawing } from '../actions/key-map.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { useEditor, useEditorState, useEditorValue } from '../kit/editor-context.ts'
import { keepsTextOpen } from '../kit/focus.ts'
import { pointRectangle } from '../kit/menu-store.ts'
import { blockOf } from '../model/tree.ts'
import { useShownPreview } from '../rendering/preview-state.tsx'
import type { FieldText } from '../text/field-text.ts'
import { useTextParts } from '../text/load-text.ts'
import type { ClickedPoint } from '../text/text-editing.tsx'
import type { TextSession } from '../text/text-session.ts'
import { type Box, heightOf, widthOf } from './boxes.ts'
import { CanvasControls } from './canvas-controls.tsx'
import { CanvasMarks } from './canvas-marks.tsx'
import { dropAt } from './drop-position.ts'
import { type InsertSpot, spotAt, spotKey } from './insert-positions.ts'
import { pressBlock, pressNothing } from './press-block.ts'
import { Overlay } from './size-handle.tsx'
import { useDrawing } from './use-drawing.ts'
import { usePictureDrop } from './use-picture-drop.ts'

interface CanvasProps {
  /** The words in the place of a smart field while its text is edited. */
  readonly fieldText: FieldText
  /** The text that is edited. */
  readonly session: TextSession | undefined
  readonly onSession: (session: TextSession | undefined) => void
  /** With the marks of `blockMarks`. */
  readonly html: string
  readonly isDark?: boolean
}

/** Shift and a click select blocks, but the browser would also select all words in between. */
const keepWordsUnselected = (event: React.MouseEvent): void => {
  if (event.shiftKey && !event.nativeEvent.composedPath().some(isEdited)) event.preventDefault()
}

const isEdited = (target: EventTarget): boolean => target instanceof HTMLElement && target.isContentEditable

/** The browser would drag pictures and links itself, and pointer events would end. Words that are edited are its own. */
const keepPointerEvents = (event: React.DragEvent): void => {
  if (!event.nativeEvent.composedPath().some(isEdited)) event.preventDefault()
}

const useEndOfHiddenText = (): (() => void) => {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  return () =>
    queueMicrotask(() => {
      store.edit(undefined)
      toastNote(t('hidden'))
    })
}

export function Canvas({ html, fieldText, session, onSession, isDark = false }: CanvasProps) {
  const t = useTranslations('editor')
  const parts = useEditor()
  const { store, drag, menus } = parts
  const { tree, editingId: wantedId } = useEditorState()
  const text = useTextParts(useShownPreview().isPainted)
  // The words stay on the canvas until they can be edited.
  const editingId = text && wantedId
  const nameOf = useBlockName()
  const onTextMissing = useEndOfHiddenText()
  const { host, marked, boxes } = useDrawing({ html, editingId, onTextMissing })
  const replacedId = usePictureDrop({ host, boxes })
  const [hoveredId, setHoveredId] = useState<string>()
  const [hoveredSpot, setHoveredSpot] = useState<InsertSpot>()
  const section = useRef<HTMLElement>(null)
  const clicked = useRef<ClickedPoint>(undefined)
  /** The text that is edited is in the page: the block around it is the first one on the way up that was drawn. */
  const idAt = (event: PointerEvent | React.MouseEvent): string | undefined => {
    const root = host.current?.shadowRoot
    const node = event.nativeEvent
      .composedPath()
      .find(each => each instanceof Node && each.getRootNode() === root)
    return marked.current.blockAt(node instanceof Node ? node : null)
  }
  // The keys of the editor work on, and Tab goes on from here.
  useEffect(() => {
    if (editingId === undefined) return
    return () => {
      if (document.activeElement === document.body) section.current?.focus({ preventScroll: true })
    }
  }, [editingId])
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
  const area = useMemo(() => {
    const { width = 0, height = 0 } = host.current?.getBoundingClientRect() ?? {}
    return { tree, boxes, canvas: { left: 0, top: 0, right: width, bottom: height } }
  }, [tree, boxes, host])
  const hover = (event: PointerEvent) => {
    setHoveredId(idAt(event))
    // A finger has no place between a touch and the next one: it selects a block first.
    if (event.pointerType === 'touch') return
    const { left = 0, top = 0 } = host.current?.getBoundingClientRect() ?? {}
    const spot = spotAt(area, event.clientX - left, event.clientY - top)
    setHoveredSpot(before => (before && spot && spotKey(before) === spotKey(spot) ? before : spot))
  }
  const leave = () => {
    setHoveredId(undefined)
    setHoveredSpot(undefined)
  }
  const openMenu = (event: React.MouseEvent) => {
    const id = idAt(event)
    if (id === store.getState().editingId && id !== undefined) return
    event.preventDefault()
    if (id !== undefined && !store.getState().selection.includes(id)) store.select([id])
    if (!drag.isHolding) menus.open({ kind: 'block', at: pointRectangle(event.clientX, event.clientY) })
  }
  const press = (event: PointerEvent) => {
    const id = idAt(event)
    if (id === undefined) pressNothing(event, parts)
    else if (id !== store.getState().editingId) pressBlock(event, id, parts, nameOf)
  }
  const edit = (event: React.MouseEvent) => {
    const id = idAt(event)
    const block = id === undefined ? undefined : blockOf(store.getState().tree, id)
    if (!block || !tokensOf(block)) return
    clicked.current = { x: event.clientX, y: event.clientY }
    store.edit(id)
  }
  return (
    <section
      ref={section}
      aria-label={t('canvas', { kind: store.kind })}
      tabIndex={0}
      data-canvas=""
      data-pane-focus=""
      onPointerLeave={leave}
      className="touch-hold relative outline-offset-8 outline-accent focus-visible:outline-2"
      style={{ background: isDark ? '#1b1b1b' : '#ffffff', colorScheme: isDark ? 'dark' : 'light' }}
    >
      {text && session && <text.TextTools session={session} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the outline does the same by keyboard */}
      <div
        ref={host}
        {...canvasDrawing}
        {...keepsTextOpen}
        // Tab passes over the links of the signature, which do nothing here, but not over the text that is edited.
        tabIndex={editingId === undefined ? -1 : undefined}
        onPointerDown={press}
        onMouseDown={keepWordsUnselected}
        onDragStart={keepPointerEvents}
        onPointerMove={hover}
        onDoubleClick={edit}
        onContextMenu={openMenu}
        onClickCapture={event => event.preventDefault()}
      >
        {text && editingId !== undefined && (
          <text.TextEditing
            key={editingId}
            id={editingId}
            fieldText={fieldText}
            clicked={clicked}
            onSession={onSession}
          />
        )}
      </div>
      <Overlay boxes={boxes} hoveredId={hoveredId} />
      <CanvasMarks boxes={boxes} canvasWidth={area.canvas.right} />
      <ReplaceMark box={boxes.get(replacedId ?? '')} />
      <CanvasControls area={area} hovered={hoveredSpot} />
    </section>
  )
}

// The paper under the signature, in the middle of the pane. While words are typed its start stays where it is: the words
// would move away under the cursor with each letter that makes the signature wider.

export function CanvasCard({ children }: { readonly children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  const isEditing = useEditorValue(({ editingId }) => editingId !== undefined)
  useLayoutEffect(() => {
    const element = card.current
    const pane = element?.parentElement
    if (!isEditing || !element || !pane) return
    const start = Number.parseFloat(getComputedStyle(element).marginInlineStart)
    const keep = () => {
      const room = pane.clientWidth - element.offsetWidth
      element.style.marginInlineStart = `${Math.max(0, Math.min(start, room))}px`
    }
    // Not `fit-content`: lines would break early beside the kept space.
    element.style.width = 'max-content'
    element.style.flexShrink = '0'
    keep()
    const observer = new ResizeObserver(keep)
    observer.observe(element)
    observer.observe(pane)
    return () => {
      observer.disconnect()
      for (const name of ['width', 'flex-shrink', 'margin-inline-start']) element.style.removeProperty(name)
    }
  }, [isEditing])
  return (
    <div
      ref={card}
      className="mx-auto w-fit min-w-80 max-w-full overflow-x-auto rounded-xl bg-white p-6 shadow-raised max-md:min-w-0"
    >
      {children}
    </div>
  )
}

/** The image whose picture a dropped file would replace. */
const ReplaceMark = ({ box }: { readonly box: Box | undefined }) =>
  box && (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute rounded-sm bg-accent/30 outline-2 outline-accent outline-dashed"
      style={{ left: box.left, top: box.top, width: widthOf(box), height: heightOf(box) }}
    />
  )
