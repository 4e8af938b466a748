// Copy, cut, paste and drag of words. ProseMirror's own reading of the clipboard puts HTML into the page, which the
// policy of the page refuses, so none of its handlers may run.
import { type Content, escapeText, safeUrl, type Token, validateContent } from '@signoff/render'
import { Slice } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type AnyBlock, childrenOf, tokensOf } from '#records/content/block.ts'
import { copiedBlocks, wordsOfField } from '../model/copied-blocks.ts'
import { withHref } from '../model/token-styles.ts'
import { documentOf, runMark, tokensOfDocument } from './document.ts'
import type { FieldText } from './field-text.ts'
import { maxHtmlSize, runsOfHtml } from './pasted-html.ts'
import { type PastedRun, runsOfText, tokensOfRuns } from './pasted-runs.ts'
import { changeTokens, styleAtCursor } from './token-commands.ts'

interface ClipboardOptions {
  readonly fieldText: () => FieldText
  /** Inside a button, words have no links of their own. */
  readonly hasLinks: boolean
}

const isPlainRun = ({ isBold, isItalic, isUnderlined, href }: PastedRun): boolean =>
  !isBold && !isItalic && !isUnderlined && href === undefined

/** Letters that are typed afterwards have the style from before, and are no part of a pasted link. */
function insertTokens(state: EditorState, tokens: readonly Token[]): Transaction {
  const textStyle = styleAtCursor(state)
  return state.tr
    .replaceSelection(new Slice(documentOf(tokens).content, 0, 0))
    .setStoredMarks([runMark.create({ token: { ...(textStyle && { textStyle }) } })])
}

function runsIn(data: DataTransfer): readonly PastedRun[] {
  const html = data.getData('text/html')
  const runs = html !== '' && html.length <= maxHtmlSize ? runsOfHtml(html) : []
  return runs.length > 0 ? runs : runsOfText(data.getData('text/plain'))
}

/** Smart fields of another workspace become words; links are left out where there can be none. */
function fittingToken(token: Token, { fieldText, hasLinks }: ClipboardOptions): Token {
  const { href: _, ...withoutLink } = token
  const fitting = hasLinks ? token : withoutLink
  if (token.smartFieldUuid === undefined || fieldText()(token).label !== undefined) return fitting
  return wordsOfField(fitting)
}

/** The words of a clipboard in the place of the selection; undefined when there are none. */
function pasteFrom(
  data: DataTransfer,
  state: EditorState,
  options: ClipboardOptions,
): Transaction | undefined {
  const own = readTokens(data.getData(tokensType)) ?? tokensOfCopiedBlocks(data.getData('text/plain'))
  if (own)
    return insertTokens(
      state,
      own.map(token => fittingToken(token, options)),
    )
  const runs = runsIn(data)
  const [first, ...others] = runs
  if (!first) return undefined
  const text = first.text.trim()
  const isAddress = others.length === 0 && /^(https?|mailto|tel):\S+$/i.test(text) && safeUrl(text) !== null
  // An address that is pasted on words becomes their link.
  if (isAddress && options.hasLinks && !state.selection.empty) return changeTokens(state, withHref({ text }))
  if (others.length === 0 && isPlainRun(first)) return state.tr.insertText(first.text)
  return insertTokens(state, tokensOfRuns(runs, styleAtCursor(state), options.hasLinks))
}

function writeSelection({ state }: EditorView, data: DataTransfer | null, fieldText: FieldText): void {
  const { from, to } = state.selection
  const words = copiedWords(tokensOfDocument(state.doc.cut(from, to), []), fieldText)
  data?.setData(tokensType, words.tokens)
  data?.setData('text/html', words.html)
  data?.setData('text/plain', words.text)
}

/** Positions of the words that are dragged inside the text. */
interface DraggedWords {
  readonly from: number
  readonly to: number
}

/** The words at the place of the drop. Words of the same text move, unless the person asks for a copy. */
function dropped(
  view: EditorView,
  event: DragEvent,
  moved: DraggedWords | undefined,
  options: ClipboardOptions,
): Transaction | undefined {
  const position = view.posAtCoords({ left: event.clientX, top: event.clientY })
  if (!event.dataTransfer || !position) return undefined
  if (moved && position.pos >= moved.from && position.pos <= moved.to) return undefined
  const { tr } = view.state
  const isMove = moved && !event.ctrlKey && !event.altKey
  if (isMove) tr.delete(moved.from, moved.to)
  const state = view.state.apply(tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map(position.pos))))
  const inserted = pasteFrom(event.dataTransfer, state, options)
  if (!inserted) return undefined
  for (const step of inserted.steps) tr.step(step)
  return tr.setSelection(TextSelection.create(tr.doc, inserted.selection.to))
}

export function clipboardEvents(options: ClipboardOptions) {
  let moved: DraggedWords | undefined
  const copy = (view: EditorView, event: ClipboardEvent): boolean => {
    event.preventDefault()
    if (view.state.selection.empty) return true
    writeSelection(view, event.clipboardData, options.fieldText())
    if (event.type === 'cut') view.dispatch(view.state.tr.deleteSelection().setMeta('uiEvent', 'cut'))
    return true
  }
  return {
    copy,
    cut: copy,
    paste(view: EditorView, event: ClipboardEvent): boolean {
      event.preventDefault()
      const transaction = event.clipboardData && pasteFrom(event.clipboardData, view.state, options)
      if (transaction) view.dispatch(transaction.setMeta('uiEvent', 'paste').scrollIntoView())
      return true
    },
    dragstart(view: EditorView, event: DragEvent): boolean {
      const { from, to } = view.state.selection
      moved = { from, to }
      if (from === to) event.preventDefault()
      else writeSelection(view, event.dataTransfer, options.fieldText())
      return true
    },
    dragend(): boolean {
      moved = undefined
      return true
    },
    drop(view: EditorView, event: DragEvent): boolean {
      event.preventDefault()
      const transaction = dropped(view, event, moved, options)
      moved = undefined
      if (transaction) view.dispatch(transaction.setMeta('uiEvent', 'drop'))
      view.focus()
      return true
    },
  }
}

// Words as they are on the clipboard: for this editor with their smart fields and styles, for other programs as HTML and
// as plain text.

const tokensType = 'application/x-signoff-tokens'

const shownText = (token: Token, fieldText: FieldText): string => {
  if (token.smartFieldUuid === undefined) return token.value ?? ''
  const { text, isValue } = fieldText(token)
  return isValue ? `${token.prefix ?? ''}${text}${token.suffix ?? ''}` : text
}

function htmlOf(token: Token, fieldText: FieldText): string {
  const { fontWeight, fontStyle, textDecoration } = token.textStyle ?? {}
  const tags = [
    ...(fontWeight === 'bold' ? ['b'] : []),
    ...(fontStyle === 'italic' ? ['i'] : []),
    ...(textDecoration === 'underline' ? ['u'] : []),
  ]
  const words = tags.reduce(
    (inner, tag) => `<${tag}>${inner}</${tag}>`,
    escapeText(shownText(token, fieldText)),
  )
  const address = token.href?.text
  return address ? `<a href="${escapeText(address)}">${words}</a>` : words
}

interface CopiedWords {
  readonly tokens: string
  readonly html: string
  readonly text: string
}

export const copiedWords = (tokens: readonly Token[], fieldText: FieldText): CopiedWords => ({
  tokens: JSON.stringify(tokens),
  html: `<span>${tokens.map(token => htmlOf(token, fieldText)).join('')}</span>`,
  text: tokens.map(token => shownText(token, fieldText)).join(''),
})

/** The ids belong to the words that were copied. */
const withoutId = ({ id: _, ...token }: Token): Token => token

/** Another page can put anything on the clipboard: only what the content's rules allow is taken. */
export function readTokens(json: string): readonly Token[] | undefined {
  try {
    const tokens = JSON.parse(json) as Token[]
    const content: Content = { type: 'stack', children: [{ type: 'text', tokens }] }
    const { problems } = validateContent(content, { field: 'content' })
    return Array.isArray(tokens) && problems.length === 0 ? tokens.map(withoutId) : undefined
  } catch {
    return undefined
  }
}

const wordsIn = (block: AnyBlock): readonly (readonly Token[])[] => [
  ...(tokensOf(block) ? [tokensOf(block) ?? []] : []),
  ...childrenOf(block).flatMap(wordsIn),
]

/** Blocks that are pasted into a text leave their words, each block on a line of its own. */
function tokensOfCopiedBlocks(text: string): readonly Token[] | undefined {
  const lines = copiedBlocks(text)?.flatMap(wordsIn)
  return (
    lines &&
    readTokens(
      JSON.stringify(lines.flatMap((line, index) => (index > 0 ? [{ value: '\n' }, ...line] : line))),
    )
  )
}
