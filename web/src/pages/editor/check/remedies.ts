// What one click can do about a problem of the check.
import { type Content, contrast, parseColor } from '@signoff/render'
import type { CheckProblem } from '@signoff/sdk'
import { type AnyBlock, idOf, tokensOf } from '../model/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockWithToken, changeBlock } from '../model/tree.ts'

type Code = CheckProblem['code']

export interface Remedy {
  readonly name: 'safeColor' | 'largerText' | 'wrapRow'
  readonly apply: (tree: Content) => Content
}

const readable = '#1f2937'
const smallest = 9

/** The blocks of a problem; a problem can name a token. */
const blocksOf = (tree: Content, ids: readonly string[]): readonly AnyBlock[] => [
  ...new Set(ids.flatMap(id => blockWithToken(tree, id) ?? [])),
]

const withTokens = (tree: Content, block: AnyBlock, change: (style: object) => object): Content =>
  setProperties(tree, idOf(block), {
    tokens: (tokensOf(block) ?? []).map(token => ({ ...token, textStyle: change(token.textStyle ?? {}) })),
  })

const isHardToRead = (color: unknown): boolean => {
  const parsed = typeof color === 'string' ? parseColor(color) : undefined
  return typeof parsed === 'string' && contrast(parsed, '#ffffff') < 4.5
}

/** Undefined: a person has to decide, such as which description an image gets. */
export function remedyFor(code: Code, ids: readonly string[]): Remedy | undefined {
  const forEach = (change: (tree: Content, block: AnyBlock) => Content) => (tree: Content) =>
    blocksOf(tree, ids).reduce(change, tree)
  switch (code) {
    case 'low_contrast':
      return {
        name: 'safeColor',
        apply: forEach((tree, block) =>
          withTokens(tree, block, style =>
            isHardToRead((style as { color?: string }).color) ? { ...style, color: readable } : style,
          ),
        ),
      }
    case 'text_too_small':
      return {
        name: 'largerText',
        apply: forEach((tree, block) =>
          withTokens(tree, block, style => {
            const { fontSize } = style as { fontSize?: number }
            return fontSize !== undefined && fontSize < smallest
              ? { ...style, fontSize: smallest + 2 }
              : style
          }),
        ),
      }
    case 'not_mobile':
      return {
        name: 'wrapRow',
        apply: forEach((tree, block) =>
          changeBlock(tree, idOf(block), each =>
            each.type === 'stack' && each.direction === 'row' ? { ...each, wrap: true } : each,
          ),
        ),
      }
    default:
      return undefined
  }
}
