// The content tree: its types, and the one schema that everything else is made from.
import type { Button } from './blocks/button.ts'
import type { Divider } from './blocks/divider.ts'
import { dividerDirections } from './blocks/divider.ts'
import type { Icon } from './blocks/icon.ts'
import type { Image } from './blocks/image.ts'
import { blockSchemas, stackable } from './blocks/index.ts'
import type { List } from './blocks/list.ts'
import type { Marketing } from './blocks/marketing.ts'
import type { SocialList } from './blocks/social-list.ts'
import type { Stack } from './blocks/stack.ts'
import type { Text } from './blocks/text.ts'
import { aligns, directions, shapes, verticalAligns } from './fields.ts'
import { iconNames } from './icons.ts'
import { fontFamilies, fontStyles, fontWeights, textDecorations, textTransforms } from './style.ts'
import { tokenTypes } from './tokens.ts'

export type Block = Stack | Text | Image | Icon | Button | List | SocialList | Divider | Marketing
/** The root. */
export type Content = Stack

export const limits = { depth: 12, blocks: 500, bytes: 256 * 1024 } as const

/** As JSON Schema 2020-12. */
export const contentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Content block tree',
  description: `One stack at the root. At most ${limits.depth} levels deep, ${limits.blocks} blocks and ${limits.bytes / 1024} KB of JSON. Ids are unique in the tree; those left out are filled in. Campaign content has no marketing block and no queryParams.`,
  $ref: '#/$defs/stack',
  $defs: blockSchemas,
}

export const enums = {
  blockType: Object.keys(blockSchemas),
  stackChild: stackable,
  tokenType: tokenTypes,
  direction: directions,
  dividerDirection: dividerDirections,
  align: aligns,
  verticalAlign: verticalAligns,
  shape: shapes,
  iconName: iconNames,
  fontFamily: fontFamilies,
  fontWeight: fontWeights,
  fontStyle: fontStyles,
  textDecoration: textDecorations,
  textTransform: textTransforms,
} as const
