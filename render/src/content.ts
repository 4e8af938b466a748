// The content tree: its type, and its published JSON Schema.
import { dividerDirections } from './blocks/divider.ts'
import { blockSchemas, type Stack, stackable } from './blocks/index.ts'
import { aligns, directions, shapes, verticalAligns } from './fields.ts'
import { iconNames } from './icons.ts'
import { fontFamilies, fontStyles, fontWeights, textDecorations, textTransforms } from './style.ts'
import { tokenTypes } from './tokens.ts'

export type { Block } from './blocks/index.ts'
/** The root block. */
export type Content = Stack

export const limits = { depth: 12, blocks: 500, bytes: 256 * 1024 } as const

/** JSON Schema 2020-12. */
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
