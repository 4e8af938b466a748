// Changes of the selected words: style, link and smart field. With nothing selected, they concern all words.
import type { Href, TextStyle, Token } from '@signoff/render'
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { fieldNode, runMark, tokenOf } from './document.ts'

type TokenChange = (token: Token) => Token

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

export function changeTokens(state: EditorState, change: TokenChange): Transaction {
  const transaction = state.tr
  for (const { node, from, to } of selectedParts(state)) {
    const token = change(tokenOf(node, undefined))
    if (node.isText) transaction.addMark(from, to, runMark.create({ token }))
    else transaction.setNodeMarkup(from, undefined, { token })
  }
  return transaction
}

const without = <T extends object>(value: T, key: keyof T): T => {
  const { [key]: _, ...rest } = value
  return rest as T
}

/** Undefined removes a part of the style. A style without parts is removed. */
export const withStyle =
  (
    patch: Readonly<Record<keyof TextStyle, unknown>> | Partial<Record<keyof TextStyle, unknown>>,
  ): TokenChange =>
  token => {
    const style = Object.fromEntries(
      Object.entries({ ...token.textStyle, ...patch }).filter(([, value]) => value !== undefined),
    )
    return Object.keys(style).length === 0
      ? without(token, 'textStyle')
      : { ...token, textStyle: style as TextStyle }
  }

export const withHref =
  (href: Href | undefined): TokenChange =>
  token =>
    href ? { ...token, href } : without(token, 'href')

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
  const { $from } = state.selection
  const neighbour = $from.nodeBefore ?? $from.nodeAfter
  const style = neighbour ? tokenOf(neighbour, undefined).textStyle : undefined
  const field = fieldNode.create({ token: { ...token, ...(style && { textStyle: style }) } })
  return state.tr.replaceSelectionWith(field, false)
}
