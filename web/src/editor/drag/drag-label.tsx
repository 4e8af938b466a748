import { useDragState } from '../editor-context.ts'

/** What is dragged, beside the pointer. */
export function DragLabel() {
  const drag = useDragState()
  if (!drag) return null
  return (
    <div
      aria-hidden="true"
      data-drag-label=""
      className="pointer-events-none fixed z-50 rounded-lg bg-ink px-2.5 py-1 text-[0.8125rem] text-paper shadow-floating"
      style={{ left: drag.x + 12, top: drag.y + 12, opacity: drag.spot ? 1 : 0.6 }}
    >
      {drag.label}
    </div>
  )
}
