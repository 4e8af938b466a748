import type { Content, Token } from '@signoff/render'
import { tokensOf } from '#records/content/block.ts'
import { setProperties } from '../model/operations.ts'
import { blockOf } from '../model/tree.ts'

/** Replaces each token of a block by one or several. The same tree when all tokens stay the same objects. */
export function changeTokensIn(
  tree: Content,
  id: string,
  change: (token: Token) => Token | readonly Token[],
): Content {
  const block = blockOf(tree, id)
  const tokens = block && tokensOf(block)
  if (!tokens) return tree
  const next = tokens.flatMap(change)
  const isSame = next.length === tokens.length && next.every((token, index) => token === tokens[index])
  return isSame ? tree : setProperties(tree, id, { tokens: next })
}
