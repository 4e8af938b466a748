// The registry: one row per type of block. The schema, the validation, the enums and the rendering read it.
import { Type } from 'typebox'
import { dirs, OneOf } from '../fields.ts'
import { withMarks } from '../piece.ts'
import type { Piece, PieceScope } from '../types.ts'
import { type Button, ButtonSchema, compileButton } from './button.ts'
import { compileDivider, type Divider, DividerSchema } from './divider.ts'
import { compileIcon, type Icon, IconSchema } from './icon.ts'
import { compileImage, type Image, ImageSchema } from './image.ts'
import { compileList, ItemSchema, LabelSchema, type List, ListSchema } from './list.ts'
import { compileMarketing, type Marketing, MarketingSchema } from './marketing.ts'
import { compileQrCode, type QrCode, QrCodeSchema } from './qr-code.ts'
import { compileSocialList, SocialItemSchema, type SocialList, SocialListSchema } from './social-list.ts'
import { compileStack, type StackOf, stackSchema } from './stack.ts'
import { compileText, type TextBlock, TextSchema } from './text.ts'

export type Stack = StackOf<Block>
export type Block =
  | Stack
  | TextBlock
  | Image
  | Icon
  | Button
  | List
  | SocialList
  | Divider
  | QrCode
  | Marketing

/** The types of block that a stack can contain. */
export const stackable = [
  'stack',
  'text',
  'image',
  'icon',
  'button',
  'list',
  'socialList',
  'divider',
  'qrCode',
  'marketing',
] as const

export const blockSchemas = {
  stack: stackSchema<Block>(stackable),
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
  qrCode: QrCodeSchema,
  marketing: MarketingSchema,
} as const

/** The root is a stack that also has a direction of writing. */
export const rootSchema = stackSchema<Block>(stackable, {
  dir: Type.Optional(
    OneOf(dirs, { description: 'auto: from the first letter of the person that has a direction' }),
  ),
})

export function compileBlock(block: Block, scope: PieceScope): Piece | null {
  return block.visible === false ? null : withMarks(compileVisible(block, scope), scope, block.id)
}

function compileVisible(block: Block, scope: PieceScope): Piece {
  switch (block.type) {
    case 'stack':
      return compileStack(block, scope, compileBlock)
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
    case 'qrCode':
      return compileQrCode(block, scope)
    case 'marketing':
      return compileMarketing(block, scope)
  }
}
