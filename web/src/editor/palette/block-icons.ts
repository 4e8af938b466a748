import type { AnyBlock, BlockType } from '#records/content/block.ts'
import type { EditorIconName } from '../editor-icon.tsx'

const icons: Readonly<Record<Exclude<BlockType, 'stack'>, EditorIconName>> = {
  text: 'type',
  image: 'image',
  icon: 'star',
  button: 'rectangle-horizontal',
  list: 'list',
  listItem: 'dot',
  listItemLabel: 'tag',
  socialList: 'share-2',
  socialListItem: 'link',
  divider: 'minus',
  qrCode: 'qr-code',
  marketing: 'megaphone',
}

export const blockIcon = (
  block: Pick<AnyBlock, 'type'> & { readonly direction?: string },
): EditorIconName => {
  if (block.type !== 'stack') return icons[block.type]
  return block.direction === 'row' ? 'columns-2' : 'rows-2'
}
