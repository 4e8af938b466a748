// The ProseMirror view of one block: how its words and smart fields look, and which keys it understands.
import { fontCss, type Token } from '@signoff/render'
import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { type Command, EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { documentOf, runMark, tokenOf } from './document.ts'
import { toggleStyle } from './token-commands.ts'

export interface TextViewOptions {
  readonly tokens: readonly Token[]
  /** What stands in the place of a smart field: the value of the person, or the label of the field. */
  readonly fieldText: (token: Token) => string
  readonly label: string
  readonly onChange: (state: EditorState) => void
  readonly onEnd: () => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  /** Keys and texts that open a menu come first. */
  readonly plugins?: readonly Plugin[]
}

const styleOf = ({ textStyle = {} }: Token): string => fontCss(textStyle, textStyle.color)

function chip(token: Token, text: string): HTMLElement {
  const dom = document.createElement('span')
  dom.className = 'signoff-field'
  dom.setAttribute('style', styleOf(token))
  dom.textContent = `${token.prefix ?? ''}${text}${token.suffix ?? ''}`
  return dom
}

function run(token: Token): HTMLElement {
  const dom = document.createElement('span')
  const decoration = token.href ? ';text-decoration:underline' : ''
  dom.setAttribute('style', styleOf(token) + decoration)
  return dom
}

const command =
  (act: () => void): Command =>
  () => {
    act()
    return true
  }

const toggle =
  (...style: Parameters<typeof toggleStyle> extends [unknown, ...infer Rest] ? Rest : never): Command =>
  (state, dispatch) => {
    dispatch?.(toggleStyle(state, ...style))
    return true
  }

/** Letters that are typed beside a smart field get a token in its style: they have none to continue. */
const typedRuns = new Plugin({
  appendTransaction(transactions, _before, { doc, tr }) {
    if (!transactions.some(({ docChanged }) => docChanged)) return null
    let style: Token['textStyle']
    let isChanged = false
    doc.forEach((node, position) => {
      if (node.isText && !runMark.isInSet(node.marks)) {
        const next = doc.resolve(position + node.nodeSize).nodeAfter
        const textStyle = style ?? (next ? tokenOf(next, undefined).textStyle : undefined)
        tr.addMark(
          position,
          position + node.nodeSize,
          runMark.create({ token: { ...(textStyle && { textStyle }) } }),
        )
        isChanged = true
      } else style = tokenOf(node, undefined).textStyle ?? style
    })
    return isChanged ? tr : null
  },
})

const lineBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.insertText('\n').scrollIntoView())
  return true
}

export function newTextView(place: HTMLElement, options: TextViewOptions): EditorView {
  const { onEnd, onUndo, onRedo } = options
  const keys = keymap({
    'Mod-b': toggle('fontWeight', 'bold'),
    'Mod-i': toggle('fontStyle', 'italic'),
    'Mod-u': toggle('textDecoration', 'underline'),
    'Mod-z': command(onUndo),
    'Mod-y': command(onRedo),
    'Shift-Mod-z': command(onRedo),
    Escape: command(onEnd),
    'Mod-Enter': command(onEnd),
    Enter: lineBreak,
    'Shift-Enter': lineBreak,
  })
  const doc = documentOf(options.tokens)
  const view = new EditorView(place, {
    state: EditorState.create({
      doc,
      selection: TextSelection.atEnd(doc),
      plugins: [...(options.plugins ?? []), typedRuns, keys, keymap(baseKeymap)],
    }),
    attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': options.label },
    nodeViews: {
      field: ({ attrs }) => ({ dom: chip(attrs.token, options.fieldText(attrs.token)) }),
      blank: () => ({ dom: document.createElement('span') }),
    },
    markViews: { run: ({ attrs }) => ({ dom: run(attrs.token) }) },
    dispatchTransaction(transaction) {
      const state = view.state.apply(transaction)
      view.updateState(state)
      if (transaction.docChanged) options.onChange(state)
    },
  })
  return view
}

/** Shows tokens that another part of the editor has changed; the cursor stays where it can. */
export function showTokens(view: EditorView, tokens: readonly Token[]): void {
  const doc = documentOf(tokens)
  const { from, to } = view.state.selection
  const end = doc.content.size
  view.updateState(
    EditorState.create({
      doc,
      plugins: view.state.plugins,
      selection: TextSelection.create(doc, Math.min(from, end), Math.min(to, end)),
    }),
  )
}
