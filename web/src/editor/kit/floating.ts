// Where a toolbar or a menu stands: beside its anchor, inside an area, above the anchor or below it but never on it.
import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Floating {
  readonly anchor: Rectangle
  readonly size: { readonly width: number; readonly height: number }
  /** The part of the window that may be used. */
  readonly area: Rectangle
  readonly preferred: 'above' | 'below'
  readonly gap: number
}

interface FloatingPosition {
  readonly left: number
  readonly top: number
  readonly side: 'above' | 'below'
}

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** Takes the side with more room if neither side has enough, and never leaves the area. */
export function floatingPosition({ anchor, size, area, preferred, gap }: Floating): FloatingPosition {
  const room = { above: anchor.top - gap - area.top, below: area.bottom - anchor.bottom - gap }
  const other = preferred === 'above' ? 'below' : 'above'
  const fits = room[preferred] >= size.height || room[preferred] >= room[other]
  const side = fits ? preferred : other
  const top = side === 'above' ? anchor.top - gap - size.height : anchor.bottom + gap
  return {
    side,
    left: between(anchor.left, area.left, Math.max(area.left, area.right - size.width)),
    top: between(top, area.top, Math.max(area.top, area.bottom - size.height)),
  }
}

const overlapOf = (first: Rectangle, second: Rectangle): Rectangle => ({
  left: Math.max(first.left, second.left),
  top: Math.max(first.top, second.top),
  right: Math.min(first.right, second.right),
  bottom: Math.min(first.bottom, second.bottom),
})

// Keeps a floating element at its place while the page scrolls, the window changes, or the text grows.

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
}: FloatingOptions): FloatingPosition | undefined {
  const [position, setPosition] = useState<FloatingPosition>()
  useLayoutEffect(() => {
    const floating = element.current
    if (!floating) return
    const update = () => {
      const anchorBox = anchor()
      if (!anchorBox) return
      const size = floating.getBoundingClientRect()
      const next = floatingPosition({ anchor: anchorBox, size, area: areaAround(floating), preferred, gap })
      setPosition(before =>
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
  return position
}

// Where a menu opens that was asked for by a key: beside the selected block on the canvas or its row in the outline.

/** The canvas draws this element around the selected block. */
export const selectionMark = 'data-selected-block'

export function selectionAnchor(): Rectangle {
  const focused = document.activeElement
  const row = focused?.closest('[role=treeitem]')
  const marked = document.querySelector(`[${selectionMark}]`)
  const element =
    row ?? (marked?.checkVisibility() ? marked : undefined) ?? document.querySelector('[data-canvas]')
  const { left, right, top, bottom } = (element ?? document.body).getBoundingClientRect()
  const isBelowWindow = bottom > innerHeight
  return { left, right, top, bottom: isBelowWindow ? Math.min(top + 24, innerHeight) : bottom }
}
