// What is being dragged, and where it would be dropped. Pointer events carry it, so that the mouse, a pen and fingers
// work alike; native drag and drop does not exist for fingers.
import type { DroppedBlocks, DropSpot } from '../model/drop.ts'

export interface DragState {
  readonly dragged: DroppedBlocks
  /** For the small label beside the pointer. */
  readonly label: string
  readonly x: number
  readonly y: number
  readonly spot: DropSpot | undefined
}

/** A part of the page that takes blocks: it finds the spot for a point of the window; undefined outside of it. */
export type DropZone = (dragged: DroppedBlocks, x: number, y: number) => DropSpot | undefined

interface DragStart {
  readonly dragged: DroppedBlocks
  readonly label: string
}

/** A shorter way of the pointer is a click. */
const clickDistance = 4
/** A finger that moves earlier scrolls the page. */
const holdMilliseconds = 250

export class DragStore {
  #state: DragState | undefined
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

  addZone(zone: DropZone): () => void {
    this.#zones.add(zone)
    return () => this.#zones.delete(zone)
  }

  /** Waits until the pointer has moved far enough, or a finger has rested long enough; then `start` says what is dragged. */
  watch(down: PointerEvent, start: () => DragStart | undefined): void {
    if (down.button !== 0) return
    const isFinger = down.pointerType === 'touch'
    const events = new AbortController()
    const { signal } = events
    const hold = isFinger ? setTimeout(() => begin(down), holdMilliseconds) : undefined
    let isDragging = false
    const end = () => {
      clearTimeout(hold)
      events.abort()
      this.#set(undefined)
    }
    const begin = ({ clientX, clientY }: PointerEvent) => {
      const started = start()
      if (!started) return end()
      isDragging = true
      // A press on text would begin to select it.
      getSelection()?.removeAllRanges()
      this.#set({ ...started, x: clientX, y: clientY, spot: undefined })
    }
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      const way = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)
      if (!isDragging && way < clickDistance) return
      if (!isDragging && isFinger) return end()
      if (!isDragging) begin(event)
      const { dragged, label } = this.#state ?? {}
      if (!dragged || label === undefined) return
      event.preventDefault()
      const { clientX: x, clientY: y } = event
      this.#set({ dragged, label, x, y, spot: this.#spotAt(dragged, x, y) })
    }
    const up = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      const { dragged, spot } = this.#state ?? {}
      end()
      if (dragged && spot) this.#onDrop(dragged, spot)
    }
    window.addEventListener('pointermove', move, { signal })
    window.addEventListener('pointerup', up, { signal })
    window.addEventListener('pointercancel', end, { signal })
    window.addEventListener('keydown', event => event.key === 'Escape' && end(), { signal, capture: true })
    // While a finger drags, the page must not scroll.
    window.addEventListener('touchmove', event => isDragging && event.preventDefault(), {
      signal,
      passive: false,
    })
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
