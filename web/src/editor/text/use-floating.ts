// Keeps a floating element at its place while the page scrolls, the window changes, or the text grows.
import { type RefObject, useLayoutEffect, useState } from 'react'
import { type FloatingPlace, floatingPlace, overlapOf, type Rectangle } from './floating.ts'

interface FloatingOptions {
  readonly element: RefObject<HTMLElement | null>
  /** The text or the cursor; undefined when it is not on the page. */
  readonly anchor: () => Rectangle | undefined
  readonly preferred: 'above' | 'below'
  /** Changes when the anchor may have moved. */
  readonly version: unknown
}

const gap = 8
const margin = 4

/** The window, without what lies outside the pane that scrolls the canvas. */
function areaAround(element: HTMLElement): Rectangle {
  const page = { left: margin, top: margin, right: innerWidth - margin, bottom: innerHeight - margin }
  const pane = element.closest('[data-canvas-pane]')?.getBoundingClientRect()
  return pane ? overlapOf(page, pane) : page
}

/** Undefined until it was measured. */
export function useFloating({
  element,
  anchor,
  preferred,
  version,
}: FloatingOptions): FloatingPlace | undefined {
  const [place, setPlace] = useState<FloatingPlace>()
  useLayoutEffect(() => {
    const floating = element.current
    if (!floating) return
    const update = () => {
      const found = anchor()
      if (!found) return
      const size = floating.getBoundingClientRect()
      const next = floatingPlace({ anchor: found, size, area: areaAround(floating), preferred, gap })
      setPlace(before =>
        before && before.left === next.left && before.top === next.top && before.side === next.side
          ? before
          : next,
      )
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(floating)
    const pane = floating.closest('[data-canvas-pane]')
    // A line that comes above the pane makes it lower.
    if (pane) observer.observe(pane)
    for (const child of pane?.children ?? []) observer.observe(child)
    addEventListener('scroll', update, true)
    addEventListener('resize', update)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', update, true)
      removeEventListener('resize', update)
    }
  }, [version, preferred])
  return place
}
