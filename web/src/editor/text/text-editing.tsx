// Edits the words of a block in its place on the canvas. The view lives in the page, in a slot of the shadow root of the
// canvas: inside a shadow root, the selection of text does not work in all browsers.
import { AllSelection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { tokensOf as tokensOfBlock } from '#records/content/block.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { useEndOutside } from '../kit/focus.ts'
import { setProperties } from '../model/operations.ts'
import type { EditorStore } from '../model/store.ts'
import type { TokenChange } from '../model/token-styles.ts'
import { blockOf } from '../model/tree.ts'
import { tokensOfDocument } from './document.ts'
import type { FieldText } from './field-text.ts'
import { TextSession } from './text-session.ts'
import { newTextView, showFieldTexts, showTokens } from './text-view.ts'
import { changeTokens, selectedTokens } from './token-commands.ts'
import { stepMeta, UndoSteps } from './undo-steps.ts'

/** After such a pause, the next letters are a step of undo of their own. */
const pauseMilliseconds = 1_000

export interface ClickedPoint {
  readonly x: number
  readonly y: number
}

interface TextEditingProps {
  readonly id: string
  readonly fieldText: FieldText
  /** The point of the click; undefined when the keyboard began it. */
  readonly clicked: RefObject<ClickedPoint | undefined>
  readonly onSession: (session: TextSession | undefined) => void
}

const storedTokens = (store: EditorStore, id: string) => {
  const block = blockOf(store.getState().tree, id)
  return block && tokensOfBlock(block)
}

/** The words of a new text are there to be replaced. */
function focusAt({ view }: TextSession, clicked: ClickedPoint | undefined, newWords: string): void {
  view.focus()
  const { tr, doc } = view.state
  const position = clicked && view.posAtCoords({ left: clicked.x, top: clicked.y })
  if (position) view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(position.pos))))
  else if (doc.textContent === newWords) view.dispatch(tr.setSelection(new AllSelection(doc)))
}

const commands = {
  selectedTokens,
  changeTokens: (view: EditorView, change: TokenChange, step: string) =>
    view.dispatch(changeTokens(view.state, change).setMeta(stepMeta, step)),
}

interface SessionOptions {
  readonly id: string
  readonly store: EditorStore
  readonly fieldText: FieldText
  readonly label: string
  readonly onRefused: () => void
}

/** The view and the store: what one of them changes, the other shows. Returns how to end it. */
function startSession(element: HTMLElement, { id, store, fieldText, label, onRefused }: SessionOptions) {
  const tokens = storedTokens(store, id) ?? []
  const steps = new UndoSteps()
  /** The tokens that this view has written last. The store gives them back, which is no change from outside. */
  let written = tokens
  let pause: ReturnType<typeof setTimeout> | undefined
  const hasLinks = blockOf(store.getState().tree, id)?.type === 'text'
  const session = new TextSession({ id, hasLinks, commands }, current =>
    newTextView(element, {
      tokens,
      fieldText,
      hasLinks,
      label,
      onUndo: () => store.undo(),
      onRedo: () => store.redo(),
      onEnd: () => store.edit(undefined),
      // After the browser has moved the focus.
      onLeave: () => setTimeout(() => store.edit(undefined)),
      onState: () => current().publish(),
      onMenuKey: event => current().onMenuKey(event),
      onFieldSettings: () => document.querySelector<HTMLElement>('[data-field-settings] button')?.focus(),
      onToolbar: () => document.querySelector<HTMLElement>('[data-text-toolbar] button')?.focus(),
      onChange({ doc }, transaction) {
        const before = written
        written = tokensOfDocument(doc, before)
        const next = written
        const mergeKey = `text ${id} ${steps.keyOf(transaction)}`
        const problems = store.change(root => setProperties(root, id, { tokens: next }), { mergeKey })
        clearTimeout(pause)
        pause = setTimeout(() => store.endStep(), pauseMilliseconds)
        if (problems.length === 0) return true
        written = before
        onRefused()
        return false
      },
    }),
  )
  const unsubscribe = store.subscribe(() => {
    const next = storedTokens(store, id)
    if (!next || next === written) return
    written = next
    showTokens(session.view, next)
    session.publish()
  })
  const end = () => {
    clearTimeout(pause)
    unsubscribe()
    session.view.destroy()
  }
  return { session, end }
}

export function TextEditing({ id, fieldText, clicked, onSession }: TextEditingProps) {
  const t = useTranslations('editor')
  const { store } = useEditor()
  const slot = useRef<HTMLDivElement>(null)
  const current = useRef<TextSession>(undefined)
  const label = t('editText')
  useLayoutEffect(() => {
    if (!slot.current) return
    const onRefused = () => toastError(t('textTools.refused'))
    const { session, end } = startSession(slot.current, { id, store, fieldText, label, onRefused })
    current.current = session
    onSession(session)
    return () => {
      onSession(undefined)
      end()
    }
  }, [id, store, label])
  // After the canvas has made the slot: an element without a place on the page takes no focus.
  useEffect(() => {
    if (current.current) focusAt(current.current, clicked.current, t('palette.newText'))
    clicked.current = undefined
  }, [id])
  useEffect(() => {
    if (current.current) showFieldTexts(current.current.view, fieldText)
  }, [fieldText])
  useEndOutside(store)
  return <div ref={slot} slot="text" className="signoff-text-editing" />
}
