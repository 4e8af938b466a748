// The selection stays visible while the focus is in the toolbar or in the inspector. It is a highlight of the browser,
// because other elements around the letters would disturb typing.
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

const name = 'signoff-selection'

function show(view: EditorView): void {
  const { from, to, empty } = view.state.selection
  if (typeof Highlight === 'undefined') return
  if (empty || view.hasFocus()) {
    CSS.highlights.delete(name)
    return
  }
  const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)]
  const range = document.createRange()
  range.setStart(start.node, start.offset)
  range.setEnd(end.node, end.offset)
  CSS.highlights.set(name, new Highlight(range))
}

export const shownSelection = new Plugin({
  view: () => ({
    update: show,
    destroy() {
      if (typeof Highlight !== 'undefined') CSS.highlights.delete(name)
    },
  }),
  props: {
    handleDOMEvents: {
      focus(view) {
        show(view)
        return false
      },
      // The view loses its focus after the event.
      blur(view) {
        queueMicrotask(() => !view.isDestroyed && show(view))
        return false
      },
    },
  },
})
