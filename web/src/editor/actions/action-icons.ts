import type { EditorIconName } from '../editor-icon.tsx'
import type { BlockAction } from '../keys/key-map.ts'

export const actionIcons: Readonly<Record<BlockAction, EditorIconName>> = {
  duplicate: 'layers',
  remove: 'trash-2',
  earlier: 'arrow-up',
  later: 'arrow-down',
  in: 'chevron-right',
  out: 'chevron-left',
  group: 'group',
  wrapRow: 'columns-2',
  wrapColumn: 'rows-2',
  unwrap: 'ungroup',
  toggleVisible: 'eye-off',
  insertAbove: 'arrow-up-to-line',
  insertBelow: 'between-horizontal-start',
  copy: 'copy',
  cut: 'scissors',
  paste: 'clipboard-paste',
  editText: 'pen-line',
  rename: 'text-cursor-input',
}
