// Where a toolbar or a menu stands: beside its anchor, inside an area, above the anchor or below it but never on it.

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Floating {
  readonly anchor: Rectangle
  readonly size: { readonly width: number; readonly height: number }
  /** The part of the window that may be used. */
  readonly area: Rectangle
  readonly preferred: 'above' | 'below'
  readonly gap: number
}

export interface FloatingPlace {
  readonly left: number
  readonly top: number
  readonly side: 'above' | 'below'
}

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** Where neither side has enough room, the side with more room is taken, and the area is never left. */
export function floatingPlace({ anchor, size, area, preferred, gap }: Floating): FloatingPlace {
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

export const overlapOf = (first: Rectangle, second: Rectangle): Rectangle => ({
  left: Math.max(first.left, second.left),
  top: Math.max(first.top, second.top),
  right: Math.min(first.right, second.right),
  bottom: Math.min(first.bottom, second.bottom),
})
