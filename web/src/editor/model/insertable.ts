// Which new blocks can be put into a block, by the schema of the content.
import type { BlockType, ContentKind } from '#records/content/block.ts'
import { type NewBlockName, offeredBlocks } from './new-blocks.ts'
import { allowedChildren } from './rules.ts'

const typeOf: Readonly<Record<NewBlockName, BlockType>> = {
  text: 'text',
  field: 'text',
  photo: 'image',
  logo: 'image',
  image: 'image',
  button: 'button',
  contacts: 'list',
  contact: 'listItem',
  socialLinks: 'socialList',
  socialLink: 'socialListItem',
  icon: 'icon',
  divider: 'divider',
  qrCode: 'qrCode',
  row: 'stack',
  column: 'stack',
  banner: 'marketing',
}

export function insertableBlocks(parent: BlockType, kind: ContentKind): readonly NewBlockName[] {
  const allowed = allowedChildren(parent, kind)
  return [...offeredBlocks(kind), 'contact' as const, 'socialLink' as const].filter(name =>
    allowed.includes(typeOf[name]),
  )
}
