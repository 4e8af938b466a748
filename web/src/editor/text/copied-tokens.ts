// Words as they are on the clipboard: for this editor with their smart fields and styles, for other programs as HTML and
// as plain text.
import { type Content, escapeText, type Token, validateContent } from '@signoff/render'
import { type AnyBlock, childrenOf, tokensOf } from '#records/content/block.ts'
import { copiedBlocks } from '../page/use-clipboard.ts'
import type { FieldText } from './field-text.ts'

export const tokensType = 'application/x-signoff-tokens'

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

export interface CopiedWords {
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
export function tokensOfCopiedBlocks(text: string): readonly Token[] | undefined {
  const lines = copiedBlocks(text)?.flatMap(wordsIn)
  return (
    lines &&
    readTokens(
      JSON.stringify(lines.flatMap((line, index) => (index > 0 ? [{ value: '\n' }, ...line] : line))),
    )
  )
}
