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
export function scrollAtEdge(
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
