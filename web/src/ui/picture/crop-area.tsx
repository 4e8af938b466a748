// The part of a picture that is shown: the picture moves under a fixed window. Mouse, touch (two fingers zoom), wheel and
// keys (arrows move, + and - zoom).
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { classes } from '../base/classes.ts'

/** In parts of the picture, from 0 to 1: the unit of the API. */
export interface CropBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface CropView {
  /** 1: as much of the picture as fits into the square. */
  readonly zoom: number
  readonly centerX: number
  readonly centerY: number
}

export const wholeView: CropView = { zoom: 1, centerX: 0.5, centerY: 0.5 }
export const maxCropZoom = 6

const within = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)

interface PixelSize {
  readonly width: number
  readonly height: number
}

/** The part of the picture that a view shows: `aspect` is its width by its height. It never reaches beyond the picture. */
export function cropBoxOf({ zoom, centerX, centerY }: CropView, pixels: PixelSize, aspect = 1): CropBox {
  const shownHeight = Math.min(pixels.height, pixels.width / aspect) / zoom
  const width = Math.min((shownHeight * aspect) / pixels.width, 1)
  const height = Math.min(shownHeight / pixels.height, 1)
  return {
    x: within(centerX - width / 2, 0, 1 - width),
    y: within(centerY - height / 2, 0, 1 - height),
    width,
    height,
  }
}

/** The same view with its centre where the box can be. */
export function settledView(view: CropView, pixels: PixelSize, aspect = 1): CropView {
  const zoomed = { ...view, zoom: within(view.zoom, 1, maxCropZoom) }
  const { x, y, width, height } = cropBoxOf(zoomed, pixels, aspect)
  return { ...zoomed, centerX: x + width / 2, centerY: y + height / 2 }
}

/** The view that shows a part, whose proportions it keeps. */
export function viewOfBox({ x, y, width, height }: CropBox, pixels: PixelSize) {
  const aspect = (width * pixels.width) / (height * pixels.height)
  const whole = cropBoxOf(wholeView, pixels, aspect)
  const view = { zoom: whole.width / width, centerX: x + width / 2, centerY: y + height / 2 }
  return { view: settledView(view, pixels, aspect), aspect }
}

interface CropAreaProps {
  readonly src: string
  readonly label: string
  readonly pixels: PixelSize
  readonly view: CropView
  /** The width by the height of the window. */
  readonly aspect?: number
  readonly onChange: (change: (view: CropView) => CropView) => void
  readonly isRound: boolean
}

const keyMoves: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Part of the window that one key press moves; ten times as much with Shift. */
const keyStep = 0.02

export function CropArea({ src, label, pixels, view, aspect = 1, onChange, isRound }: CropAreaProps) {
  const frame = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const box = cropBoxOf(view, pixels, aspect)
  const change = (edit: (view: CropView) => CropView) =>
    onChange(now => settledView(edit(now), pixels, aspect))
  /** Moves the window over the picture, in parts of the window. */
  const move = (x: number, y: number) =>
    change(now => {
      const { width, height } = cropBoxOf(now, pixels, aspect)
      return { ...now, centerX: now.centerX + x * width, centerY: now.centerY + y * height }
    })
  const zoomBy = (factor: number) => change(now => ({ ...now, zoom: now.zoom * factor }))
  const zoomRef = useRef(zoomBy)
  zoomRef.current = zoomBy

  useEffect(() => {
    const element = frame.current
    // React listens passively to wheels, which then scroll the page too.
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      zoomRef.current(Math.exp(-event.deltaY / 400))
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const last = pointers.current.get(event.pointerId)
    if (!last) return
    const here = { x: event.clientX, y: event.clientY }
    const { clientWidth, clientHeight } = event.currentTarget
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    pointers.current.set(event.pointerId, here)
    if (other) {
      const distance = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y)
      zoomBy(distance(here) / Math.max(distance(last), 1))
    } else move((last.x - here.x) / clientWidth, (last.y - here.y) / clientHeight)
  }
  const press = (event: KeyboardEvent) => {
    const step = keyMoves[event.key]
    const size = event.shiftKey ? keyStep * 10 : keyStep
    if (step) move(step[0] * size, step[1] * size)
    else if (event.key === '+' || event.key === '=') zoomBy(1.1)
    else if (event.key === '-') zoomBy(1 / 1.1)
    else return
    event.preventDefault()
  }
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId)
  return (
    <div
      ref={frame}
      role="application"
      aria-label={label}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
      }}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
      style={{ aspectRatio: aspect }}
      className="relative mx-auto w-full max-w-80 touch-none cursor-move overflow-hidden rounded-xl bg-sunken select-none"
    >
      <img
        src={src}
        alt=""
        draggable={false}
        className="pointer-events-none absolute max-w-none"
        style={{
          width: `${100 / box.width}%`,
          height: `${100 / box.height}%`,
          left: `${(-100 * box.x) / box.width}%`,
          top: `${(-100 * box.y) / box.height}%`,
        }}
      />
      <span
        aria-hidden="true"
        className={classes(
          'pointer-events-none absolute inset-0 shadow-[0_0_0_100vmax_rgb(0_0_0/0.45)] ring-2 ring-white/90 ring-inset',
          isRound ? 'rounded-full' : 'rounded-xl',
        )}
      />
    </div>
  )
}
