import type { RefObject } from 'react'
import type { Rectangle } from '../text/floating.ts'

interface MenuAnchorProps {
  readonly at: Rectangle
  readonly anchorRef: RefObject<HTMLDivElement | null>
}

/**
 * An invisible element below which a menu opens: a block on the canvas has no element in the page. It is narrow, because
 * a menu is at least as wide as its opener.
 */
export const MenuAnchor = ({ at: { left, top, bottom }, anchorRef }: MenuAnchorProps) => (
  <div
    ref={anchorRef}
    aria-hidden="true"
    className="pointer-events-none fixed"
    style={{ left, top, width: 1, height: Math.max(1, bottom - top) }}
  />
)
