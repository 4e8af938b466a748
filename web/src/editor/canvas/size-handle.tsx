// A handle that changes a number by dragging or by the arrow keys. One drag is one step of undo.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { classes } from '#ui/base/classes.ts'
import { useDragState, useEditor, useEditorState } from '../kit/editor-context.ts'
import { selectionMark } from '../kit/floating.ts'
import { focusCanvas } from '../kit/focus.ts'
import { blockOf } from '../model/tree.ts'
import { type Box, type Boxes, heightOf, widthOf } from './boxes.ts'
import { resize, type SizeHandle } from './size-handles.ts'

interface SizeHandleProps {
  readonly block: AnyBlock
  readonly handle: SizeHandle
}

const steps: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
}

interface DragStart {
  readonly at: number
  readonly value: number
  /** A picture with both sizes is scaled from what it was at the start. */
  readonly block: AnyBlock
}

export function SizeHandleView({ block, handle }: SizeHandleProps) {
  const t = useTranslations('editor.properties')
  const inspector = useTranslations('editor.inspector')
  const { store } = useEditor()
  const start = useRef<DragStart>(undefined)
  const frame = useRef(0)
  const [isActive, setActive] = useState(false)
  const { name, axis, value, least, most, band } = handle
  const isCorner = name === 'width' || name === 'size'
  const set = (from: AnyBlock, next: number | undefined) =>
    resize(
      store,
      from,
      name,
      next === undefined ? undefined : Math.round(Math.min(most, Math.max(least, next))),
    )
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    store.endStep()
    start.current = { at: axis === 'x' ? event.clientX : event.clientY, value, block }
    setActive(true)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    const from = start.current
    if (!from) return
    cancelAnimationFrame(frame.current)
    // A mouse reports more often than the screen is painted.
    frame.current = requestAnimationFrame(() =>
      set(from.block, from.value + (axis === 'x' ? clientX : clientY) - from.at),
    )
  }
  const end = () => {
    if (!start.current) return
    start.current = undefined
    setActive(false)
    // After the last change.
    requestAnimationFrame(() => store.endStep())
  }
  const pressKey = (event: KeyboardEvent) => {
    const { key, shiftKey } = event
    const now = blockOf(store.getState().tree, idOf(block)) ?? block
    const step = steps[key]
    if (step !== undefined) set(now, value + (shiftKey && Math.abs(step) === 1 ? step * 10 : step))
    else if (key === 'Home') set(now, least)
    else if (key === 'Delete' || key === 'Backspace') set(now, undefined)
    else if (key === 'Escape') focusCanvas()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      {isActive && band && (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute bg-accent/20"
          style={positionOf(band)}
        />
      )}
      <div
        role="slider"
        tabIndex={0}
        data-handle={name}
        aria-label={t(name)}
        aria-orientation={axis === 'x' ? 'horizontal' : 'vertical'}
        aria-valuenow={value}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuetext={inspector('pixels', { value })}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={pressKey}
        onFocus={() => setActive(true)}
        onBlur={() => {
          setActive(false)
          store.endStep()
        }}
        className={classes(
          'absolute z-10 grid -translate-x-1/2 -translate-y-1/2 touch-none place-items-center rounded-sm focus-visible:outline-2 focus-visible:outline-accent',
          isCorner
            ? 'size-6 cursor-ew-resize'
            : axis === 'x'
              ? 'h-6 w-3 cursor-ew-resize'
              : 'h-3 w-6 cursor-ns-resize',
        )}
        style={{ left: handle.x, top: handle.y }}
      >
        <span
          aria-hidden="true"
          className={classes(
            'rounded-full',
            isCorner ? 'size-2.5 bg-card ring-2 ring-accent' : 'bg-accent',
            !isCorner && (axis === 'x' ? 'h-4 w-1' : 'h-1 w-4'),
          )}
        />
        {isActive && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-full mt-1 rounded bg-ink px-1.5 text-xs whitespace-nowrap text-paper tabular-nums"
          >
            {inspector('pixels', { value })}
          </span>
        )}
      </div>
    </>
  )
}

// Outlines of the hovered and the selected blocks, and the line where dragged blocks would go.

export const positionOf = (box: Box) => ({
  left: box.left,
  top: box.top,
  width: widthOf(box),
  height: heightOf(box),
})

interface OverlayProps {
  readonly boxes: Boxes
  readonly hoveredId: string | undefined
}

export function Overlay({ boxes, hoveredId }: OverlayProps) {
  const { selection, editingId } = useEditorState()
  const drag = useDragState()
  const hovered = hoveredId === undefined || drag ? undefined : boxes.get(hoveredId)
  const line = drag?.spot?.zone === 'canvas' ? drag.spot.line : undefined
  return (
    <div aria-hidden="true" className="canvas-marks pointer-events-none absolute inset-0">
      {hovered && !selection.includes(hoveredId ?? '') && (
        <div
          className="absolute rounded-sm outline outline-1 outline-accent/50"
          style={positionOf(hovered)}
        />
      )}
      {selection.map(id => {
        const box = boxes.get(id)
        return (
          box && (
            <div
              key={id}
              {...{ [selectionMark]: '' }}
              className={`absolute rounded-sm outline-2 outline-accent ${id === editingId ? 'outline-dashed' : 'outline'}`}
              style={positionOf(box)}
            />
          )
        )
      })}
      {line && <div className="absolute rounded-full bg-accent" style={positionOf(line)} />}
    </div>
  )
}
