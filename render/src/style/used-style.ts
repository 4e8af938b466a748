// Which keys of `blockStyle` change the look of a block. Every block accepts all of them, but an editor should offer only
// those that have an effect.
import type { StackStyle } from '../fields.ts'

type StyleKey = keyof StackStyle

/** The types whose look a key changes; the keys that are not here change all types but `socialListItem`. */
const typesWith: Readonly<Partial<Record<StyleKey, readonly string[]>>> = {
  gap: ['stack', 'list', 'listItem', 'socialList'],
  width: ['stack', 'list', 'listItemLabel', 'text', 'button', 'divider'],
  align: [
    'stack',
    'list',
    'listItemLabel',
    'text',
    'button',
    'image',
    'icon',
    'qrCode',
    'socialList',
    'marketing',
    'divider',
  ],
  borderColor: ['stack'],
  borderWidth: ['stack'],
  borderRadius: ['stack'],
}

interface StyledBlock {
  readonly type: string
  readonly blockStyle?: Readonly<Record<string, unknown>> | undefined
  readonly children?: readonly { readonly type: string }[] | undefined
}

export function usesStyle({ type, blockStyle, children = [] }: StyledBlock, key: string): boolean {
  if (type === 'socialListItem' || typesWith[key as StyleKey]?.includes(type) === false) return false
  // A line without a width of its own is as wide as the block around it.
  if (type === 'divider' && key === 'align') return blockStyle?.width !== undefined
  // Between the texts of an item; most have one.
  if (type === 'listItem' && key === 'gap') return children.filter(child => child.type === 'text').length > 1
  return true
}
