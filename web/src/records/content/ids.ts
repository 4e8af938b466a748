// Ids of blocks and tokens. They name links in the numbers, so copies get new ones.
import { type AnyBlock, childrenOf, withChildren } from './block.ts'

/** `crypto.randomUUID` does not exist on pages without https, such as those of an address in the local network. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return [...bytes]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** A deep copy in which every block and token has a new id. */
export function copyWithNewIds<B extends AnyBlock>(block: B): B {
  const copy = { ...block, id: newId() }
  const filled =
    'tokens' in copy && copy.tokens
      ? { ...copy, tokens: copy.tokens.map(token => ({ ...token, id: newId() })) }
      : copy
  const children = childrenOf(block)
  return children.length === 0 ? filled : withChildren(filled, children.map(copyWithNewIds))
}
