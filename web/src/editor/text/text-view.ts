// The ProseMirror view of one block: how its words and smart fields look, and what it does with events.
import { fontCss, linkColor, type Token } from '@signoff/render'
import { EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { clipboardEvents } from './clipboard.ts'
import { documentOf } from './document.ts'
import type { FieldText } from './field-text.ts'
import { menuPlugin } from './menu-state.ts'
import { type TextKeyOptions, textKeys } from './text-keys.ts'
import { completeTokens, tokenIds } from './token-commands.ts'

interface TextViewOptions extends TextKeyOptions {
  readonly tokens: readonly Token[]
  readonly fieldText: FieldText
  /** Inside a button, words have no links of their own. */
  readonly hasLinks: boolean
  readonly label: string
  /** False when the words cannot be taken: the text stays as it was. */
  readonly onChange: (state: EditorState, transaction: Transaction) => boolean
  /** After every change of words, selection or menu. */
  readonly onState: () => void
  readonly onMenuKey: (event: KeyboardEvent) => boolean
}

const nodeViews = (fieldText: FieldText, hasLinks: boolean) => ({
  field: ({ attrs }: { readonly attrs: { readonly token?: Token } }) => ({
    dom: fieldElement(attrs.token ?? {}, fieldText, hasLinks),
  }),
  blank: () => ({ dom: document.createElement('span') }),
})

export function newTextView(slot: HTMLElement, options: TextViewOptions): EditorView {
  const { hasLinks, onChange, onState, onUndo, onRedo } = options
  let { fieldText } = options
  const doc = documentOf(options.tokens)
  const view: EditorView = new EditorView(slot, {
    state: EditorState.create({
      doc,
      selection: TextSelection.atEnd(doc),
      plugins: [
        menuPlugin(options.onMenuKey),
        tokenIds(() => view.composing),
        shownSelection,
        ...textKeys(options),
      ],
    }),
    // Direction and spelling as the browser sees them in the words.
    attributes: {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': options.label,
      'aria-autocomplete': 'list',
      dir: 'auto',
      spellcheck: 'true',
    },
    nodeViews: nodeViews(fieldText, hasLinks),
    markViews: { run: ({ attrs }) => ({ dom: runElement(attrs.token, hasLinks) }) },
    handleDOMEvents: {
      ...clipboardEvents({ fieldText: () => fieldText, hasLinks }),
      beforeinput(_view, event) {
        const act = { historyUndo: onUndo, historyRedo: onRedo }[event.inputType]
        if (!act) return false
        event.preventDefault()
        act()
        return true
      },
      compositionend(composed) {
        // After ProseMirror has read the last letters.
        setTimeout(() => !composed.isDestroyed && composed.dispatch(completeTokens(composed.state)), 50)
        return false
      },
    },
    dispatchTransaction(transaction) {
      const { state, transactions } = view.state.applyTransaction(transaction)
      if (transactions.some(({ docChanged }) => docChanged) && !onChange(state, transaction)) return
      view.updateState(state)
      onState()
    },
  })
  fieldTexts.set(view, next => {
    fieldText = next
    view.setProps({ nodeViews: nodeViews(next, hasLinks) })
  })
  return view
}

const fieldTexts = new WeakMap<EditorView, (fieldText: FieldText) => void>()

/** After another person was chosen, or the fields were loaded. */
export const showFieldTexts = (view: EditorView, fieldText: FieldText): void =>
  fieldTexts.get(view)?.(fieldText)

/** Shows tokens that another part of the editor has changed, such as undo; the cursor goes to the changed words. */
export function showTokens(view: EditorView, tokens: readonly Token[]): void {
  const { doc: before, selection, plugins } = view.state
  const doc = documentOf(tokens)
  const end = doc.content.size
  const start = before.content.findDiffStart(doc.content)
  const isRestyled = before.textContent === doc.textContent && before.content.size === end
  const difference = before.content.findDiffEnd(doc.content)
  const cursor = Math.min(end, Math.max(start ?? 0, difference?.b ?? 0))
  const [from, to] =
    start === null || isRestyled
      ? [Math.min(selection.from, end), Math.min(selection.to, end)]
      : [cursor, cursor]
  view.updateState(EditorState.create({ doc, plugins, selection: TextSelection.create(doc, from, to) }))
}

// The elements of words and smart fields while they are edited: the same look as in the mail.

function cssOf({ textStyle = {}, href }: Token, hasLinks: boolean): string {
  const isLink = href !== undefined && hasLinks
  return fontCss(textStyle, textStyle.color ?? (isLink ? linkColor : undefined))
}

function fieldElement(token: Token, fieldText: FieldText, hasLinks: boolean): HTMLElement {
  const { text, isValue, label } = fieldText(token)
  const element = document.createElement('span')
  element.className = 'signoff-field'
  element.setAttribute('style', cssOf(token, hasLinks))
  element.textContent = isValue ? `${token.prefix ?? ''}${text}${token.suffix ?? ''}` : text
  if (label !== undefined) element.title = label
  return element
}

function runElement(token: Token, hasLinks: boolean): HTMLElement {
  const element = document.createElement('span')
  element.setAttribute('style', cssOf(token, hasLinks))
  return element
}

// The selection stays visible while the focus is in the toolbar or in the inspector. It is a highlight of the browser,
// because other elements around the letters would disturb typing.

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

const shownSelection = new Plugin({
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
