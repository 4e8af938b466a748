// Gives every run of letters a token with an id of its own: letters that are typed beside a smart field have no token
// yet, and a token that was split has its id twice.
import type { TextStyle, Token } from '@signoff/render'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { newId } from '#records/content/ids.ts'
import { fieldNode, runMark, tokenOf } from './document.ts'

type Style = TextStyle | undefined

/** The style of the first words. It stays when all words are deleted, for those that are typed next. */
const styleKey = new PluginKey<Style>('signoff-style')

const styleOf = (node: Node): Style => tokenOf(node, undefined).textStyle

function withIds({ doc, tr, storedMarks }: EditorState, keptStyle: Style): Transaction | null {
  const used = new Set<string>()
  let style: Style
  doc.forEach((node, position) => {
    const end = position + node.nodeSize
    const hasToken = !node.isText || runMark.isInSet(node.marks) !== undefined
    const token: Token = tokenOf(node, undefined)
    const next = hasToken ? undefined : doc.resolve(end).nodeAfter
    const textStyle = hasToken ? token.textStyle : (style ?? (next ? styleOf(next) : keptStyle))
    style = textStyle ?? style
    const { id } = token
    if (hasToken && id !== undefined && !used.has(id)) {
      used.add(id)
      return
    }
    const changed: Token = { ...token, id: newId(), ...(textStyle && { textStyle }) }
    if (node.isText) tr.addMark(position, end, runMark.create({ token: changed }))
    else if (node.type === fieldNode) tr.setNodeAttribute(position, 'token', changed)
  })
  // A change of the document would forget the style of the letters that are typed next.
  return tr.docChanged ? tr.setStoredMarks(storedMarks) : null
}

/** `isComposing`: a change of the letters that an input method is composing would end the composition. */
export const tokenIds = (isComposing: () => boolean): Plugin<Style> =>
  new Plugin<Style>({
    key: styleKey,
    state: {
      init: (_config, { doc }) => (doc.firstChild ? styleOf(doc.firstChild) : undefined),
      apply: ({ doc }, style) => (doc.firstChild ? (styleOf(doc.firstChild) ?? style) : style),
    },
    appendTransaction(transactions, before, state) {
      const isAsked = transactions.some(
        transaction => transaction.docChanged || transaction.getMeta(styleKey),
      )
      return isAsked && !isComposing() ? withIds(state, styleKey.getState(before)) : null
    },
  })

/** After a composition. */
export const completeTokens = (state: EditorState): Transaction => state.tr.setMeta(styleKey, true)

/** The style that letters at the cursor get. */
export function styleAtCursor(state: EditorState): Style {
  const { $from, empty } = state.selection
  const neighbour = empty ? ($from.nodeBefore ?? $from.nodeAfter) : ($from.nodeAfter ?? $from.nodeBefore)
  return neighbour ? styleOf(neighbour) : styleKey.getState(state)
}
