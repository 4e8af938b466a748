// The blocks of the content tree as the editor sees them: any block can be selected, moved and changed.
import type { Block, Content, ListItem, ListItemLabel, SocialListItem, Token } from '@signoff/render'

export type AnyBlock = Content | Block | ListItem | ListItemLabel | SocialListItem
export type BlockType = AnyBlock['type']

/** The kind of content that is edited: banners of campaigns have no marketing blocks and fewer kinds of links. */
export type ContentKind = 'signature' | 'campaign'

const none: readonly never[] = []

export const childrenOf = (block: AnyBlock): readonly AnyBlock[] =>
  'children' in block ? (block.children ?? none) : none

/** Undefined for blocks without words. */
export const tokensOf = (block: AnyBlock): readonly Token[] | undefined =>
  'tokens' in block ? block.tokens : undefined

/** Blocks of the editor have ids: content is loaded with `fillIds`. */
export const idOf = (block: AnyBlock): string => block.id ?? ''

export const withChildren = <B extends AnyBlock>(block: B, children: readonly AnyBlock[]): B =>
  ({ ...block, children }) as B
