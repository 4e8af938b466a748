// The paper under the signature, in the middle of the pane. While words are typed its start stays where it is: the words
// would move away under the cursor with each letter that makes the signature wider.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useEditorValue } from '../editor-context.ts'

export function CanvasCard({ children }: { readonly children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null)
  const isEditing = useEditorValue(({ editingId }) => editingId !== undefined)
  useLayoutEffect(() => {
    const element = card.current
    const pane = element?.parentElement
    if (!isEditing || !element || !pane) return
    const start = Number.parseFloat(getComputedStyle(element).marginInlineStart)
    const keep = () => {
      const room = pane.clientWidth - element.offsetWidth
      element.style.marginInlineStart = `${Math.max(0, Math.min(start, room))}px`
    }
    // Not `fit-content`: lines would break early beside the kept space.
    element.style.width = 'max-content'
    element.style.flexShrink = '0'
    keep()
    const observer = new ResizeObserver(keep)
    observer.observe(element)
    observer.observe(pane)
    return () => {
      observer.disconnect()
      for (const name of ['width', 'flex-shrink', 'margin-inline-start']) element.style.removeProperty(name)
    }
  }, [isEditing])
  return (
    <div
      ref={card}
      className="mx-auto w-fit min-w-80 max-w-full overflow-x-auto rounded-xl bg-white p-6 shadow-raised max-md:min-w-0"
    >
      {children}
    </div>
  )
}
