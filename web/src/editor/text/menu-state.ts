// The menu at the cursor: `{` asks for a smart field, `/` for anything that can be inserted. What is typed after the
// character filters the menu. The state follows the document, so it works for every way of typing.
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { leafText, replacementOf, wordsOfSlice } from './undo-steps.ts'

export type MenuKind = 'field' | 'anything'

export interface TextMenuState {
  readonly kind: MenuKind
  /** The position of the character that opened the menu, or of the cursor. */
  readonly from: number
  /** 0 when a button opened the menu. */
  readonly triggerLength: 0 | 1
}

export const menuKey = new PluginKey<TextMenuState | undefined>('signoff-menu')

const kinds: Readonly<Record<string, MenuKind>> = { '{': 'field', '/': 'anything' }
const maxQuery = 60

const textIn = ({ doc }: EditorState, from: number, to: number): string =>
  doc.textBetween(from, to, '', leafText)

/** The text that was typed after the menu was opened; undefined when the cursor has left it. */
export function menuQuery(state: EditorState, { from, triggerLength }: TextMenuState): string | undefined {
  const { selection } = state
  if (!selection.empty || selection.from < from + triggerLength) return undefined
  const query = textIn(state, from + triggerLength, selection.from)
  return query.length > maxQuery || /[\n}\ufffc]/.test(query) ? undefined : query
}

/** `/` stands in addresses too: it opens the menu only where a word begins. */
function opened(transaction: Transaction, state: EditorState): TextMenuState | undefined {
  const replacement = replacementOf(transaction.steps.at(-1))
  const { from, empty } = state.selection
  if (!empty || from === 0 || !replacement || transaction.getMeta('uiEvent')) return undefined
  const typed = wordsOfSlice(replacement.slice)
  const character = textIn(state, from - 1, from)
  const kind = typed.endsWith(character) ? kinds[character] : undefined
  if (!kind || typed.length > 1) return undefined
  const before = from < 2 ? '' : textIn(state, from - 2, from - 1)
  if (kind === 'anything' && !/^\s?$/.test(before)) return undefined
  return { kind, from: from - 1, triggerLength: 1 }
}

function followed(
  menu: TextMenuState,
  { mapping }: Transaction,
  state: EditorState,
): TextMenuState | undefined {
  const from = mapping.map(menu.from, -1)
  const next = from === menu.from ? menu : { ...menu, from }
  if (menuQuery(state, next) === undefined) return undefined
  const isKept = next.triggerLength === 0 || kinds[textIn(state, from, from + 1)] === next.kind
  return isKept ? next : undefined
}

export const menuPlugin = (onKey: (event: KeyboardEvent) => boolean): Plugin<TextMenuState | undefined> =>
  new Plugin<TextMenuState | undefined>({
    key: menuKey,
    state: {
      init: () => undefined,
      apply(transaction, menu, _before, state) {
        const asked = transaction.getMeta(menuKey) as TextMenuState | 'close' | undefined
        if (asked === 'close') return undefined
        if (asked) return asked
        if (menu) return followed(menu, transaction, state)
        return transaction.docChanged ? opened(transaction, state) : undefined
      },
    },
    props: {
      handleKeyDown: (view, event) =>
        menuKey.getState(view.state) !== undefined && !event.isComposing && onKey(event),
    },
  })

export const closeMenu = (state: EditorState): Transaction => state.tr.setMeta(menuKey, 'close')

/** For the button of the toolbar. A selection is replaced by what is chosen. */
export function openFieldMenu(state: EditorState): Transaction {
  const { tr } = state
  if (!state.selection.empty) tr.deleteSelection()
  const menu: TextMenuState = { kind: 'field', from: tr.selection.from, triggerLength: 0 }
  return tr.setMeta(menuKey, menu)
}

/** Removes what was typed for the menu, and closes it. The cursor is where the menu was opened. */
export function withoutQuery(state: EditorState): Transaction {
  const menu = menuKey.getState(state)
  const { tr } = state
  if (menu && state.selection.from > menu.from) tr.delete(menu.from, state.selection.from)
  return tr.setMeta(menuKey, 'close')
}
