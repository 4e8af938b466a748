import type { RefObject } from 'react'
import type { Rectangle } from '../text/floating.ts'

interface MenuAnchorProps {
  readonly at: Rectangle
  readonly anchorRef: RefObject<HTMLDivElement | null>
}

/** An invisible element beside which a menu opens: a block on the canvas has no element in the page. */
export const MenuAnchor = ({ at: { left, top, right, bottom }, anchorRef }: MenuAnchorProps) => (
  <div
    ref={anchorRef}
    aria-hidden="true"
    className="pointer-events-none fixed"
    style={{ left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }}
  />
)
