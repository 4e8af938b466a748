import type { EditorIconName } from '../editor-icon.tsx'
import type { NewBlockName } from '../model/new-blocks.ts'

export const newBlockIcons: Readonly<Record<NewBlockName, EditorIconName>> = {
  text: 'type',
  field: 'braces',
  photo: 'circle-user',
  logo: 'building-2',
  image: 'image-plus',
  button: 'rectangle-horizontal',
  contacts: 'list',
  contact: 'dot',
  socialLinks: 'share-2',
  socialLink: 'link',
  icon: 'star',
  divider: 'minus',
  qrCode: 'qr-code',
  row: 'columns-2',
  column: 'rows-2',
  banner: 'megaphone',
}
