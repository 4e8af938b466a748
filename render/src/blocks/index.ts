// The registry: one row per type of block. Schema, validation, enums and rendering all read it.
import type { Block } from '../content.ts'
import type { Piece, PieceScope } from '../piece.ts'
import { ButtonSchema, compileButton } from './button.ts'
import { compileDivider, DividerSchema } from './divider.ts'
import { compileIcon, IconSchema } from './icon.ts'
import { compileImage, ImageSchema } from './image.ts'
import { compileList, ItemSchema, LabelSchema, ListSchema } from './list.ts'
import { compileMarketing, MarketingSchema } from './marketing.ts'
import { compileSocialList, SocialItemSchema, SocialListSchema } from './social-list.ts'
import { compileStack, stackSchema } from './stack.ts'
import { compileText, TextSchema } from './text.ts'

/** What a stack may hold. */
export const stackable = [
  'stack',
  'text',
  'image',
  'icon',
  'button',
  'list',
  'socialList',
  'divider',
  'marketing',
] as const

export const blockSchemas = {
  stack: stackSchema(stackable),
  text: TextSchema,
  image: ImageSchema,
  icon: IconSchema,
  button: ButtonSchema,
  list: ListSchema,
  listItem: ItemSchema,
  listItemLabel: LabelSchema,
  socialList: SocialListSchema,
  socialListItem: SocialItemSchema,
  divider: DividerSchema,
  marketing: MarketingSchema,
} as const

export function compileBlock(block: Block, scope: PieceScope): Piece | null {
  if (block.visible === false) return null
  switch (block.type) {
    case 'stack':
      return compileStack(block, scope)
    case 'text':
      return compileText(block, scope)
    case 'image':
      return compileImage(block, scope)
    case 'icon':
      return compileIcon(block, scope)
    case 'button':
      return compileButton(block, scope)
    case 'list':
      return compileList(block, scope)
    case 'socialList':
      return compileSocialList(block, scope)
    case 'divider':
      return compileDivider(block, scope)
    case 'marketing':
      return compileMarketing(block, scope)
  }
}
