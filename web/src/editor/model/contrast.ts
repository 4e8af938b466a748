// How well a colour of a block can be read: on what it stands.
import { type Content, contrastBoundOf, defaultButtonColor, papersBehind, type Token } from '@signoff/render'
import { type AnyBlock, childrenOf, idOf, tokensOf } from '#records/content/block.ts'
import { type ContrastCheck, hexColor } from './colors.ts'
import { findBlock } from './tree.ts'

/** The background behind a block; undefined for the paper of the mail. */
export function surfaceOf(tree: Content, block: AnyBlock): string | undefined {
  const { ancestors = [] } = findBlock(tree, idOf(block)) ?? {}
  return [...ancestors, block]
    .map(each => hexColor(each.blockStyle?.backgroundColor))
    .findLast(color => color !== undefined)
}

const minimumOf = (tokens: readonly Token[]): number =>
  Math.max(
    ...(tokens.length > 0 ? tokens : [undefined]).map(token => contrastBoundOf(token?.textStyle?.fontSize)),
  )

/** The words of a block, or those of them that are selected. */
export function textChecks(
  surface: string | undefined,
  block: AnyBlock,
  tokens: readonly Token[],
): readonly ContrastCheck[] {
  const isFilled = block.type === 'button' && block.variant !== 'outline'
  const behind = isFilled ? (hexColor(block.backgroundColor) ?? defaultButtonColor) : surface
  return papersBehind(behind, minimumOf(tokens))
}

/** The colours of the words on a background, up to blocks that have their own. */
export function wordColors(block: AnyBlock): readonly string[] {
  const own = (tokensOf(block) ?? []).flatMap(({ textStyle }) => hexColor(textStyle?.color) ?? [])
  const inside = childrenOf(block)
    .filter(child => child.type !== 'button' && hexColor(child.blockStyle?.backgroundColor) === undefined)
    .flatMap(wordColors)
  return [...new Set([...own, ...inside])]
}
