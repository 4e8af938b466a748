// The registry: one row per type of block, in the order of the published schema. The schema, the validation, the enums and
// the rendering read it.
import { Type } from 'typebox'
import { dirs, OneOf } from '../fields.ts'
import { withMarks } from '../piece.ts'
import type { BlockType, PartType, Piece, PieceScope, StyledBlock } from '../types.ts'
import { buttonBlock } from './button.ts'
import { dividerBlock } from './divider.ts'
import { iconBlock } from './icon.ts'
import { imageBlock } from './image.ts'
import { listBlock, listItemLabelPart, listItemPart } from './list.ts'
import { marketingBlock } from './marketing.ts'
import { qrCodeBlock } from './qr-code.ts'
import { socialListBlock, socialListItemPart } from './social-list.ts'
import { compileStack, type StackOf, stackSchema, stackStyles } from './stack.ts'
import { textBlock } from './text.ts'

const rows = {
  text: textBlock,
  image: imageBlock,
  icon: iconBlock,
  button: buttonBlock,
  list: listBlock,
  listItem: listItemPart,
  listItemLabel: listItemLabelPart,
  socialList: socialListBlock,
  socialListItem: socialListItemPart,
  divider: dividerBlock,
  qrCode: qrCodeBlock,
  marketing: marketingBlock,
} as const

type RowOf<Row> = Row extends BlockType<infer Block> ? Block : never
export type Stack = StackOf<Block>
export type Block = Stack | RowOf<(typeof rows)[keyof typeof rows]>

/** The types of block that a stack can contain. */
export const stackable: readonly Block['type'][] = [
  'stack',
  ...Object.entries(rows).flatMap(([type, row]) => ('compile' in row ? [type as Block['type']] : [])),
]

const stackRow: BlockType<Stack> = {
  schema: stackSchema<Block>(stackable),
  compile: (stack, scope) => compileStack(stack, scope, compileBlock),
  styles: stackStyles,
}

const blockTypes: Readonly<Record<string, PartType>> = { stack: stackRow, ...rows }

export const blockSchemas: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(blockTypes).map(([type, { schema }]) => [type, schema]),
)

/** The root is a stack that also has a direction of writing. */
export const rootSchema = stackSchema<Block>(stackable, {
  dir: Type.Optional(
    OneOf(dirs, { description: 'auto: from the first letter of the person that has a direction' }),
  ),
})

const compilers = blockTypes as Readonly<Record<Block['type'], BlockType<Block>>>

export const compileBlock = (block: Block, scope: PieceScope): Piece | null =>
  block.visible === false ? null : withMarks(compilers[block.type].compile(block, scope), scope, block.id)

const someKeys: ReadonlySet<string> = new Set(stackStyles)

/**
 * True if a key of `blockStyle` changes the look of a block. Every block accepts all keys, but an editor should offer
 * only those that have an effect.
 */
export function usesStyle(block: StyledBlock, key: string): boolean {
  const row = blockTypes[block.type]
  if (someKeys.has(key) && !row?.styles.some(style => style === key)) return false
  return row?.ignoresStyle?.(block, key) !== true
}
