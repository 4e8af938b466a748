// Edits the words of a block in its place on the canvas. The view lives in the page, in a slot of the shadow root of the
// canvas: inside a shadow root, the selection of text does not work in all browsers.
import type { Token } from '@signoff/render'
import type { EditorView } from 'prosemirror-view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useEditor, useEditorState } from '../editor-context.ts'
import { tokensOf as tokensOfBlock } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'
import { tokensOf } from './document.ts'
import { newTextView, showTokens } from './text-view.ts'

/** After such a pause, the next letters are a step of undo of their own. */
const pauseMilliseconds = 1_000

interface TextEditingProps {
  readonly id: string
  readonly fieldText: (token: Token) => string
  /** The toolbar and the menus need the view. */
  readonly onView: (view: EditorView | undefined) => void
}

export function TextEditing({ id, fieldText, onView }: TextEditingProps) {
  const t = useTranslations('editor')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  /** What this view has written last. The store gives it back, which is no change from outside. */
  const written = useRef<readonly Token[]>(undefined)
  const block = blockOf(tree, id)
  const tokens = block && tokensOfBlock(block)
  const label = t('editText')
  useLayoutEffect(() => {
    const element = place.current
    if (!element || !tokens) return
    let pause: ReturnType<typeof setTimeout> | undefined
    const made = newTextView(element, {
      tokens,
      fieldText,
      label,
      onEnd: () => store.edit(undefined),
      onUndo: () => store.undo(),
      onRedo: () => store.redo(),
      onChange({ doc }) {
        const next = tokensOf(doc, written.current ?? tokens)
        written.current = next
        store.change(root => setProperties(root, id, { tokens: next }), { mergeKey: `text ${id}` })
        clearTimeout(pause)
        pause = setTimeout(() => store.endStep(), pauseMilliseconds)
      },
    })
    written.current = tokens
    view.current = made
    onView(made)
    return () => {
      clearTimeout(pause)
      onView(undefined)
      made.destroy()
    }
  }, [id, store, label])
  // After the canvas has made the slot: an element without a place on the page takes no focus.
  useEffect(() => view.current?.focus(), [id])
  useEffect(() => {
    if (!view.current || !tokens || tokens === written.current) return
    written.current = tokens
    showTokens(view.current, tokens)
  }, [tokens])
  return <div ref={place} slot="text" className="signoff-text-editing" />
}
