/** A menu of a button near the end of the window ends where the button ends: it would stick out of the page's edge. */
export function menuPlacement(trigger: Pick<DOMRect, 'left' | 'right'>, windowWidth: number, isRtl: boolean) {
  const isAtRight = (trigger.left + trigger.right) / 2 > windowWidth / 2
  return isAtRight === isRtl ? 'bottom start' : 'bottom end'
}
