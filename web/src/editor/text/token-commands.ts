// Changes of the selected words: style, link and smart field. With nothing selected, they concern all words.
import type { Href, TextStyle, Token } from '@signoff/render'
import type { Node } from 'prosemirror-model'
import {
  type EditorState,
  NodeSelection,
  Plugin,
  PluginKey,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { newId } from '#records/content/ids.ts'
import { sharedHref, type TokenChange, withStyle } from '../model/token-styles.ts'
import { fieldNode, runMark, tokenOf } from './document.ts'

interface Part {
  readonly node: Node
  readonly from: number
  readonly to: number
}

/** The nodes of the selection, cut to it. */
function selectedParts({ doc, selection }: EditorState): readonly Part[] {
  const [from, to] = selection.empty ? [0, doc.content.size] : [selection.from, selection.to]
  const parts: Part[] = []
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isInline) return
    parts.push({ node, from: Math.max(from, position), to: Math.min(to, position + node.nodeSize) })
  })
  return parts
}

export const selectedTokens = (state: EditorState): readonly Token[] =>
  selectedParts(state).map(({ node }) => tokenOf(node, undefined))

/** The link of the selected words; with nothing selected, the link around the cursor. */
export function linkAtSelection(state: EditorState): Href | undefined {
  const { $from, empty } = state.selection
  if (!empty) return sharedHref(selectedTokens(state))
  const node = $from.nodeBefore ?? $from.nodeAfter
  return node ? tokenOf(node, undefined).href : undefined
}

export function changeTokens(state: EditorState, change: TokenChange): Transaction {
  const transaction = state.tr
  for (const { node, from, to } of selectedParts(state)) {
    const token = change(tokenOf(node, undefined))
    if (node.isText) transaction.addMark(from, to, runMark.create({ token }))
    // A step of an attribute keeps the selection of the node.
    else transaction.setNodeAttribute(from, 'token', token)
  }
  return transaction
}

/** On when all selected words have it; switching turns it off for all, else on for all. */
export function toggleStyle<Key extends 'fontWeight' | 'fontStyle' | 'textDecoration'>(
  state: EditorState,
  key: Key,
  value: NonNullable<TextStyle[Key]>,
): Transaction {
  const isOn = selectedTokens(state).every(({ textStyle }) => textStyle?.[key] === value)
  return changeTokens(state, withStyle({ [key]: isOn ? undefined : value }))
}

/** A smart field at the cursor, in the style of the words before it. */
export function insertField(state: EditorState, token: Token): Transaction {
  const style = styleAtCursor(state)
  const field = fieldNode.create({ token: { ...token, ...(style && { textStyle: style }) } })
  return state.tr.replaceSelectionWith(field, false)
}

/** Words with a link to be, selected. */
export function insertLinkWords(state: EditorState, words: string): Transaction {
  const { tr } = state
  const { from } = state.selection
  const style = styleAtCursor(state)
  const mark = runMark.create({ token: { ...(style && { textStyle: style }) } })
  tr.replaceSelectionWith(state.schema.text(words, [mark]), false)
  return tr.setSelection(TextSelection.create(tr.doc, from, from + words.length))
}

interface SelectedField {
  readonly token: Token
  readonly position: number
}

/** The smart field that is selected as a whole. */
export function selectedField({ selection }: EditorState): SelectedField | undefined {
  if (!(selection instanceof NodeSelection) || selection.node.type !== fieldNode) return undefined
  return { token: selection.node.attrs.token as Token, position: selection.from }
}

/** With the cursor inside a link, its words are selected: the next change concerns this link, not the whole text. */
export function selectLinkAtCursor(state: EditorState): Transaction | undefined {
  const { $from, empty } = state.selection
  const node = $from.nodeBefore ?? $from.nodeAfter
  if (!empty || !node || !tokenOf(node, undefined).href) return undefined
  const start = $from.nodeBefore ? $from.pos - node.nodeSize : $from.pos
  const begin = $from.textOffset > 0 ? $from.pos - $from.textOffset : start
  const size = $from.textOffset > 0 ? ($from.parent.maybeChild($from.index())?.nodeSize ?? 0) : node.nodeSize
  return state.tr.setSelection(TextSelection.create(state.doc, begin, begin + size))
}

// Gives every run of letters a token with an id of its own: letters that are typed beside a smart field have no token
// yet, and a token that was split has its id twice.

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
