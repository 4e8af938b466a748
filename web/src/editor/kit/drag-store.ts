// What is being dragged, and where it would be dropped. Pointer events carry it, so that the mouse, a pen and fingers
// work alike; native drag and drop does not exist for fingers.
import type { DroppedBlocks, DropSpot } from '../model/drop.ts'

interface DragState {
  readonly dragged: DroppedBlocks
  /** For the small label beside the pointer. */
  readonly label: string
  readonly x: number
  readonly y: number
  readonly spot: DropSpot | undefined
}

/** A part of the page that takes blocks: it finds the spot for a point of the window; undefined outside of it. */
type DropZone = (dragged: DroppedBlocks, x: number, y: number) => DropSpot | undefined

interface DragStart {
  readonly dragged: DroppedBlocks
  readonly label: string
}

interface WatchedPress {
  /** Returns the dragged blocks; undefined when they cannot be dragged. */
  readonly start: () => DragStart | undefined
  /** The pointer was lifted at the same place. */
  readonly onTap?: () => void
  /** A finger was lifted at the same place after it had rested there. */
  readonly onHeld?: (at: PointerEvent) => void
}

/** A shorter way of the pointer is a click. */
const clickDistance = 4
/** A finger that rests trembles. */
const holdDistance = 10
/** A finger that moves earlier scrolls the page. */
const holdMilliseconds = 350

export class DragStore {
  #state: DragState | undefined
  #isHolding = false
  /** Ends the press that is watched. */
  #end: () => void = () => undefined
  readonly #listeners = new Set<() => void>()
  readonly #zones = new Set<DropZone>()
  readonly #onDrop: (dragged: DroppedBlocks, spot: DropSpot) => void

  constructor(onDrop: (dragged: DroppedBlocks, spot: DropSpot) => void) {
    this.#onDrop = onDrop
  }

  readonly getState = (): DragState | undefined => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** True while a finger rests on a block: then the browser must not open its own menu. */
  get isHolding(): boolean {
    return this.#isHolding
  }

  addZone(zone: DropZone): () => void {
    // Safari ignores a listener that is added when the finger is down already.
    if (this.#zones.size === 0) window.addEventListener('touchmove', this.#keepStill, { passive: false })
    this.#zones.add(zone)
    return () => {
      this.#zones.delete(zone)
      if (this.#zones.size === 0) window.removeEventListener('touchmove', this.#keepStill)
    }
  }

  /** Waits until the pointer has moved far enough, or a finger has rested long enough; then a drag begins. */
  watch(down: PointerEvent, { start, onTap, onHeld }: WatchedPress): void {
    if (down.button !== 0) return
    const isFinger = down.pointerType === 'touch'
    const events = new AbortController()
    const { signal } = events
    this.#isHolding = isFinger
    const hold = isFinger ? setTimeout(() => begin(down), holdMilliseconds) : undefined
    let isDragging = false
    let hasMoved = false
    let stopScrolling: () => void = () => undefined
    const end = () => {
      if (signal.aborted) return
      clearTimeout(hold)
      events.abort()
      stopScrolling()
      // After the events that follow the end of a touch.
      setTimeout(() => {
        if (this.#end === end) this.#isHolding = false
      })
      this.#set(undefined)
    }
    // The end of an earlier press was lost.
    this.#end()
    this.#end = end
    const begin = ({ clientX, clientY }: PointerEvent) => {
      const started = start()
      if (!started) return end()
      isDragging = true
      stopScrolling = scrollAtEdge(
        down.clientY,
        // Below a finger that rests, for the menu of a block, nothing moves.
        () => (hasMoved ? this.#state : undefined),
        ({ x, y }) => this.#moveTo(x, y),
      )
      // A press on text would begin to select it.
      getSelection()?.removeAllRanges()
      this.#set({ ...started, x: clientX, y: clientY, spot: undefined })
    }
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      // The button was released where the page does not see it, such as in a window of the browser.
      if (event.buttons === 0) return end()
      const way = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)
      if (way >= (isFinger ? holdDistance : clickDistance)) hasMoved = true
      if (!hasMoved) return
      if (!isDragging && isFinger) return end()
      if (!isDragging) begin(event)
      event.preventDefault()
      this.#moveTo(event.clientX, event.clientY)
    }
    const up = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      const { dragged, spot } = this.#state ?? {}
      end()
      if (!hasMoved) (isDragging ? onHeld : onTap)?.(event)
      else if (dragged && spot) this.#onDrop(dragged, spot)
    }
    // A second finger means that the page is zoomed.
    const pressMore = (event: PointerEvent) => event.pointerId !== down.pointerId && end()
    window.addEventListener('pointermove', move, { signal })
    window.addEventListener('pointerup', up, { signal })
    window.addEventListener('pointercancel', end, { signal })
    window.addEventListener('pointerdown', pressMore, { signal, capture: true })
    window.addEventListener('keydown', event => event.key === 'Escape' && end(), { signal, capture: true })
  }

  /** Nothing goes on after the editor was left. */
  dispose(): void {
    this.#end()
  }

  /** While a finger drags, the page must not scroll. Two fingers zoom. */
  readonly #keepStill = (event: TouchEvent): void => {
    if (this.#state && event.touches.length === 1 && event.cancelable) event.preventDefault()
  }

  #moveTo(x: number, y: number): void {
    const { dragged, label } = this.#state ?? {}
    if (dragged && label !== undefined) this.#set({ dragged, label, x, y, spot: this.#spotAt(dragged, x, y) })
  }

  /** For files from other programs, which pointer events do not carry. `hasSpot`: they go between blocks. */
  hover(over: Omit<DragState, 'spot'> | undefined, hasSpot = true): DropSpot | undefined {
    const spot = over && hasSpot ? this.#spotAt(over.dragged, over.x, over.y) : undefined
    this.#set(over && { ...over, spot })
    return spot
  }

  #spotAt(dragged: DroppedBlocks, x: number, y: number): DropSpot | undefined {
    for (const zone of this.#zones) {
      const spot = zone(dragged, x, y)
      if (spot) return spot
    }
    return undefined
  }

  #set(state: DragState | undefined): void {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

// Scrolls the pane under the pointer while something is dragged near its upper or lower edge.

interface DraggedPoint {
  readonly x: number
  readonly y: number
}

const edge = 48
const mostPixels = 14

/** The scrolling part of the page at a point. */
function scrollerAt(x: number, y: number): Element | undefined {
  let element: Element | null = document.elementFromPoint(x, y)
  for (; element; element = element.parentElement) {
    const { overflowY } = getComputedStyle(element)
    if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight) return element
  }
  return undefined
}

/** The nearer the pointer comes to the edge, the faster it scrolls. */
function stepAt({ top, bottom }: DOMRect, y: number): number {
  const below = y - (bottom - edge)
  const above = top + edge - y
  if (below > 0) return Math.ceil((Math.min(below, edge) / edge) * mostPixels)
  return above > 0 ? -Math.ceil((Math.min(above, edge) / edge) * mostPixels) : 0
}

/**
 * A drag that begins near an edge scrolls only when it goes on towards this edge: `from` is where it began. `onScroll`
 * finds the new spot below a pointer that rests. Returns how to stop it.
 */
function scrollAtEdge(
  from: number,
  pointer: () => DraggedPoint | undefined,
  onScroll: (at: DraggedPoint) => void,
): () => void {
  const scroll = () => {
    frame = requestAnimationFrame(scroll)
    const at = pointer()
    const scroller = at && scrollerAt(at.x, at.y)
    const step = scroller ? stepAt(scroller.getBoundingClientRect(), at.y) : 0
    if (!at || !scroller || step === 0 || step > 0 !== at.y > from) return
    const before = scroller.scrollTop
    scroller.scrollTop += step
    if (scroller.scrollTop !== before) onScroll(at)
  }
  let frame = requestAnimationFrame(scroll)
  return () => cancelAnimationFrame(frame)
}
