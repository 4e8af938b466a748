// All types of blocks, in the order of the palette. All that the dashboard knows of a block is in its descriptor.
import { contrastBounds } from '@signoff/render'
import type { AnyBlock, BlockType, ContentKind } from '#records/content/block.ts'
import type { Language } from '#texts/languages.ts'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import type { ContrastCheck } from '../model/colors.ts'
import { wordColors } from '../model/contrast.ts'
import { allowedChildren } from '../model/rules.ts'
import { button } from './button.ts'
import type { BlockDescriptor, BlockLabel, BlockOf, NewBlock } from './descriptor.ts'
import { divider } from './divider.ts'
import { icon } from './icon.ts'
import { image } from './image.ts'
import { list, listItem, listItemLabel } from './list.ts'
import { marketing } from './marketing.ts'
import { qrCode } from './qr-code.ts'
import { socialList, socialListItem } from './social-list.ts'
import { stack } from './stack.ts'
import { text } from './text.ts'

const descriptors: { readonly [Type in BlockType]: BlockDescriptor<BlockOf<Type>> } = {
  text,
  image,
  button,
  list,
  listItem,
  listItemLabel,
  socialList,
  socialListItem,
  icon,
  divider,
  qrCode,
  stack,
  marketing,
}

export const descriptorOf = ({ type }: Pick<AnyBlock, 'type'>): BlockDescriptor =>
  descriptors[type] as unknown as BlockDescriptor

export function blockIcon(block: AnyBlock): EditorIconName {
  const { icon: own } = descriptorOf(block)
  return typeof own === 'string' ? own : own(block)
}

export function blockLabel(block: AnyBlock, language: Language): string {
  const { label } = descriptorOf(block)
  return (typeof label === 'function' ? label(block) : label)[language]
}

const ownNames: Readonly<Record<string, BlockLabel>> = Object.assign(
  {},
  ...Object.values(descriptors).map(({ names }) => names),
)

/** The name of a property or a choice that only one type of block has. */
export const ownName = (name: string, language: Language): string | undefined => ownNames[name]?.[language]

/** The blocks that can be put into a block, by the schema of the content. */
export const insertableBlocks = (parent: BlockType, kind: ContentKind): readonly NewBlock[] =>
  (Object.keys(descriptors) as BlockType[])
    .filter(type => allowedChildren(parent, kind).includes(type))
    .flatMap(type => descriptors[type].offers)
    .filter(({ isForBanners = true }) => isForBanners || kind === 'signature')

/** The blocks of the palette. */
export const offeredBlocks = (kind: ContentKind): readonly NewBlock[] => insertableBlocks('stack', kind)

/** Undefined where the number depends on the content, such as the height of a picture. */
export const standardNumber = (block: AnyBlock, name: string): number | undefined =>
  descriptorOf(block).standards?.(block)[name]

/** The contrast checks of a colour of a block. Lines and borders are decoration and have none. */
export function contrastChecks(
  surface: string | undefined,
  block: AnyBlock,
  property: string,
): readonly ContrastCheck[] {
  const { contrast = {} } = descriptorOf(block)
  if (property === 'color') return contrast.color?.(block, surface) ?? []
  if (property !== 'backgroundColor') return []
  return (
    contrast.backgroundColor?.(block, surface) ??
    wordColors(block).map(other => ({ place: 'content', other, minimum: contrastBounds.text }))
  )
}
